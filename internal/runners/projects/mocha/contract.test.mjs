import { defineContract } from '../contract.mjs';

// Its functions are global.
defineContract();
