// Blanks comments, and the insides of strings, so that a rule about code is not set off by prose.
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

/** As long as the text, so that a place in one is the same place in the other. */
export function blank(text: string): string {
  return text.replace(TOKEN, (token) => {
    if (isComment(token)) return spaces(token)
    return token.startsWith('`') ? blankTemplate(token) : blankString(token)
  })
}

const isComment = (token: string): boolean => token.startsWith('//') || token.startsWith('/*')
const spaces = (token: string): string => token.replace(/[^\n]/g, ' ')
const blankString = (token: string): string => token[0] + spaces(token.slice(1, -1)) + token.at(-1)

/** What stands in `${…}` is code and stays. */
const blankTemplate = (token: string): string =>
  token.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}|[^\n`]/g, (part) => (part.startsWith('${') ? part : ' '))
