import { parseArguments } from '../arguments.ts'
import { reportInputError } from '../input-error.ts'
import { removeSettings, settingsPath } from '../settings-file.ts'
import { EXIT, jsonText, printable, showHelp, type Terminal, usageError, writeLines } from '../terminal.ts'

const HELP = `usage: kitseal logout [--json]

Deletes the API key and the URL that "kitseal login" stored. The key stays valid until it is revoked, and the issuer stays
pinned until "kitseal trust remove".

  --json          print the result as JSON

example:
  kitseal logout

exit codes: 0 success; 2 wrong usage, or the file cannot be deleted`

/** `kitseal logout`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals, flags, problems, wantsHelp } = parseArguments(args, { json: 'flag' })
  if (wantsHelp) return showHelp(terminal, HELP)
  const wrong = [...problems, ...positionals.map((word) => `unexpected argument ${JSON.stringify(word)}`)]
  if (wrong.length > 0) return usageError(terminal, 'logout', wrong)
  try {
    const path = settingsPath(terminal.env)
    const removed = removeSettings(terminal.env)
    const text = removed ? `Logged out. Deleted ${printable(path)}.` : 'You were not logged in.'
    writeLines(terminal.stdout, [flags.has('json') ? jsonText({ status: 'OK', removed, path }) : text])
    return EXIT.ok
  } catch (error) {
    return reportInputError(error, 'logout', terminal, flags.has('json'))
  }
}
