import { describe, it } from 'node:test';
import { defineContract } from '../contract.mjs';

defineContract({ describe, it });
