import type { Operations, Profile } from '@kitseal/client'
import { readSmallFile } from '@kitseal/kit/node'
import { subcommands } from '../command-line.ts'
import { InputError, readOrFail } from '../input-error.ts'
import { idCommand, listCommand } from '../resource-commands.ts'
import { SERVICE_HELP, type ServiceCall, serviceCommand } from '../service-call.ts'
import { pluralize, printable } from '../terminal.ts'

const HELP = `usage: kitseal profile create | replace FILE [--url URL] [--json]
       kitseal profile list [--url URL] [--json]
       kitseal profile show | remove NAME [--url URL] [--json]

Manages the profiles of the workspace: checklists of what evidence for one purpose must contain. FILE is a profile as JSON, as
"kitseal check --profile FILE" reads it. replace makes a new version; submissions that exist keep theirs. The profiles of the
service itself are listed, too, and cannot be changed.

${SERVICE_HELP}

examples:
  kitseal profile list
  kitseal profile show access-review --json
  kitseal profile create board-pack.json

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const NAME = 'pass the name of a profile'

type Body = Operations['createProfile']['body']

const saved = (name: string, save: (call: ServiceCall, body: Body) => Promise<Profile>) =>
  serviceCommand(`profile ${name}`, HELP, {
    arguments: ['pass a file with a profile'],
    input: ({ positionals: [file = ''] }) => readProfileFile(file),
    read: () => async (call, body) => shown(await save(call, body)),
  })

async function readProfileFile(file: string): Promise<Body> {
  const bytes = await readOrFail(file, () => readSmallFile(file, { what: 'a profile', limitMiB: 1 }))
  const { parseProfile } = await import('@kitseal/examiner')
  const parsed = parseProfile(bytes)
  if (!parsed.ok) throw new InputError(`${file} is not a valid profile: ${parsed.problems.join('; ')}`)
  return JSON.parse(Buffer.from(bytes).toString()) as Body
}

const list = listCommand(
  'profile list',
  HELP,
  ({ client, signal }) => client.listProfiles({ signal }),
  ({ profile, source, version, items, title }) => [
    profile.padEnd(20),
    version === null ? source : `${source}, version ${version}`,
    pluralize(items.length, 'item'),
    title,
  ],
  'There are no profiles.',
)

const show = idCommand('profile show', HELP, NAME, async ({ client, signal }, name) =>
  shown(await client.getProfile(name, { signal })),
)

const remove = idCommand('profile remove', HELP, NAME, async ({ client, signal }, name) => {
  await client.deleteProfile(name, { signal })
  return { json: { removed: name }, out: [printable(`Removed ${name}. Submissions that use it keep it.`)] }
})

/** `kitseal profile`. */
export const run = subcommands('profile', HELP, {
  create: saved('create', ({ client, signal }, body) => client.createProfile(body, { signal })),
  replace: saved('replace', ({ client, signal }, body) => client.replaceProfile(body, { signal })),
  list,
  show,
  remove,
})

function shown(profile: Profile) {
  const { version, title, description, items } = profile
  return {
    json: profile,
    out: [
      `${profile.profile}${version === null ? '' : `, version ${version}`}: ${title}`,
      description,
      ...items.map((item) => `  ${item.id}  ${item.title}`),
    ].map(printable),
  }
}
