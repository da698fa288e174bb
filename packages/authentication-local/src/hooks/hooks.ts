import { hashPassword } from './hash-password.ts';
import { protect } from './protect.ts';

/** The hooks of this package. */
export const hooks: { readonly hashPassword: typeof hashPassword; readonly protect: typeof protect } = Object.freeze({
  hashPassword,
  protect,
});
