/** The digits of a finite number and the power of ten of the first. */
function parts(value: number, digits: number | undefined): { readonly sign: string; readonly digits: string; readonly power: number } {
  const text = digits === undefined ? Math.abs(value).toExponential() : Math.abs(value).toExponential(digits - 1);
  const [mantissa = '', power = '0'] = text.split('e');
  const found = mantissa.replace('.', '').replace(/0+$/, '');
  return { sign: value < 0 || Object.is(value, -0) ? '-' : '', digits: found === '' ? '0' : found, power: Number(power) };
}

function written(value: number, digits: number | undefined, largest: number): string {
  const { sign, digits: found, power } = parts(value, digits);
  if (power < -4 || power >= largest) {
    const exponent = `${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
    return `${sign}${found.slice(0, 1)}${found.length > 1 ? `.${found.slice(1)}` : ''}e${exponent}`;
  }
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${found}`;
  const whole = found.slice(0, power + 1).padEnd(power + 1, '0');
  const rest = found.slice(power + 1);
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** @returns a double as `$toString` writes it: as few digits as tell it from all others */
export function exactText(value: number): string {
  const size = Math.abs(value);
  // Here JavaScript writes the same digits in the same way.
  if (size >= 1e-4 && size < 1e15) return String(value);
  return Number.isFinite(value) ? written(value, undefined, 16) : String(value);
}

/** @returns a double as operators on text write it: six digits */
export function shortText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  return written(value, 6, 6);
}
