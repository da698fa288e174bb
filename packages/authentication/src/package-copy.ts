import { PackageCopy } from '@framework/core';

/** This copy of the package: whose login it is, and what sessions end with, travels under symbols that another copy does not know. */
export const AUTHENTICATION: PackageCopy = new PackageCopy('@framework/authentication');
