import { rowsOf } from '../command-line.ts'
import { EXIT, pluralize, printable } from '../terminal.ts'
import { onAdministration, single } from './admin-command.ts'
import { describeWorkspace, withWorkspace } from './admin-workspace.ts'

const USAGE = `usage: kitseal admin status [OPTIONS]

Shows what operators see in the console: checks, nodes, storage, queue, mail, last backup and scrub, signing keys, log,
witnesses and operators; or a workspace, with its credits and the limits of its plan. Works while the service is down, if its database can be read. Use the settings and the user of the service.

OPTIONS

exit codes: 0 no check fails (warnings are no failure); 1 a check fails, or the store is unavailable; 2 wrong usage`

export const run = single('status', USAGE, {
  options: { workspace: 'WORKSPACE  an ID or a unique name' },
  read: ({ value }) => {
    const workspace = value('workspace')
    if (workspace !== undefined) return withWorkspace(workspace, describeWorkspace)
    return onAdministration(async (admin, { server, config }) => {
      const status = await server.readServiceStatus(config)
      const { checks, ...others } = { ...status, operators: await admin.operators.list() }
      const [failing, warnings] = (['fail', 'warn'] as const).map(
        (result) => checks.filter((check) => check.status === result).length,
      )
      const out = [
        ...rowsOf(others),
        '',
        ...checks.map(({ check, status: is, problem }) =>
          printable(`${is.padEnd(5)}${check}${problem === null ? '' : `: ${problem}`}`),
        ),
        '',
        `${pluralize(failing ?? 0, 'problem')}, ${pluralize(warnings ?? 0, 'warning')}.`,
      ]
      return { out, json: { checks, ...others }, exitCode: failing === 0 ? EXIT.ok : EXIT.fail }
    })
  },
})
