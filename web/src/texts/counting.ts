/** Numbers and counted things as a language writes them. */
export function counting(language: string): {
  readonly number: (value: number) => string
  readonly counted: (count: number, one: string, other: string) => string
} {
  const format = new Intl.NumberFormat(language)
  const rules = new Intl.PluralRules(language)
  const number = (value: number): string => format.format(value)
  return {
    number,
    counted: (count, one, other) => `${number(count)} ${rules.select(count) === 'one' ? one : other}`,
  }
}
