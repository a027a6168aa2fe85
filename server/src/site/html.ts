/** HTML in which every interpolated string has been escaped. */
export interface Html {
  readonly text: string
}

type Value = Html | string | number

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark)

export const raw = (text: string): Html => ({ text })

const textOf = (value: Value): string => (typeof value === 'object' ? value.text : escaped(String(value)))

export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return raw(
    strings.map((part, index) => part + (index < values.length ? textOf(values[index] ?? '') : '')).join(''),
  )
}

export function joined<T>(items: readonly T[], each: (item: T) => Html): Html {
  return raw(items.map((item) => each(item).text).join(''))
}
