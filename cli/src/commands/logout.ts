import { command } from '../command-line.ts'
import { removeSettings, settingsPath } from '../settings-file.ts'
import { printable } from '../terminal.ts'

const HELP = `usage: kitseal logout [OPTIONS]

Deletes the API key and the URL that "kitseal login" stored. The key stays valid until it is revoked, and the issuer stays
pinned until "kitseal trust remove".

OPTIONS

example:
  kitseal logout

exit codes: 0 success; 2 wrong usage, or the file cannot be deleted`

/** `kitseal logout`. */
export const run = command('logout', HELP, {
  arguments: [],
  read:
    () =>
    async ({ env }) => {
      const path = settingsPath(env)
      const removed = removeSettings(env)
      const text = removed ? `Logged out. Deleted ${printable(path)}.` : 'You were not logged in.'
      return { json: { status: 'OK', removed, path }, out: [text] }
    },
})
