import { describe, it } from '@jest/globals';
import { defineContract } from '../contract.mjs';

defineContract({ describe, it });
