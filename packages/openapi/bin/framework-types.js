#!/usr/bin/env node
import '../dist/flat-types/cli.js';
