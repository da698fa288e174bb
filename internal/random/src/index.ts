export { Random } from './random.ts';
export { Variety } from './variety.ts';
