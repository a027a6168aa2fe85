// Replaces comments and the contents of strings with spaces, so that rules about code ignore prose.
const TOKEN = new RegExp(
  [
    /\/\/[^\n]*/, // line comment
    /\/\*[\s\S]*?\*\//, // block comment
    /'(?:\\.|[^'\\\n])*'/,
    /"(?:\\.|[^"\\\n])*"/,
    /`(?:\\.|\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`\\])*`/,
    /(?<=[(,=:[!&|?{};\n]\s*|\breturn\s+)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*\/[a-z]*/, // regular expression
  ]
    .map((part) => part.source)
    .join('|'),
  'g',
)

/** Keeps the length, so that offsets in the result are offsets in the text. */
export function blank(text: string): string {
  return text.replace(TOKEN, (token) => {
    if (isComment(token)) return spaces(token)
    return token.startsWith('`') ? blankTemplate(token) : blankString(token)
  })
}

const isComment = (token: string): boolean => token.startsWith('//') || token.startsWith('/*')
const spaces = (token: string): string => token.replace(/[^\n]/g, ' ')
const blankString = (token: string): string => token[0] + spaces(token.slice(1, -1)) + token.at(-1)

/** Keeps the code in `${…}`. */
const blankTemplate = (token: string): string =>
  token.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}|[^\n`]/g, (part) => (part.startsWith('${') ? part : ' '))
