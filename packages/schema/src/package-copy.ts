import { PackageCopy } from '@framework/core';

/** This copy of the package: what it knows of a record is in private members that another copy can not read. */
export const SCHEMA: PackageCopy = new PackageCopy('@framework/schema');
