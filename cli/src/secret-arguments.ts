/** Options whose value is a secret, by the end of their name: `--password`, `--api-key`, `--github-token`. */
const SECRET_OPTION =
  /^--?(?:[\w.-]*[-_.])?(?:password|passwd|passphrase|secret|token|api-?key|secret-?key|access-?key)$/i
/** What an option names instead: another option, a file, a variable, standard input. */
const REFERENCE = /^(?:-|\.{0,2}\/|~|@|\$|(?:env|file|fd|pass|stdin|vault|arn):|true$|false$)/i
const IN_URL = /^[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:[^\s/@]{4,}@/i

/** Where a command line seems to contain a secret that no pattern of the evidence rules finds. Never the value itself. */
export function secretArguments(line: readonly string[]): readonly string[] {
  return line.flatMap((argument, at) => {
    const [name = '', given] = argument.split(/=(.*)/s)
    const value = given ?? line[at + 1] ?? ''
    if (SECRET_OPTION.test(name) && value.length >= 4 && !REFERENCE.test(value)) return [`value of ${name}`]
    return IN_URL.test(given ?? argument) ? [`password in the URL of argument ${at}`] : []
  })
}
