import { describe, it } from 'vitest';
import { defineContract } from '../contract.mjs';

defineContract({ describe, it });
