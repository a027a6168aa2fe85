// Own process: it starts a service, and shells in a folder outside the checkout.
// Runs every block of commands in the docs, page by page and in order. Tutorials and the README have tests of their own.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { root } from './architecture/project.ts'
import { startService, userEnvironment } from './docs/live-service.ts'
import { needs } from './kit/needs.ts'

interface Page {
  /** What a reader has done before a block: the number of the block, and commands. */
  readonly before?: Readonly<Record<number, string>>
  /** Values of the reader in place of those that the page shows. */
  readonly values?: Readonly<Record<string, string>>
  /** Blocks that need another machine, and what they need. */
  readonly elsewhere?: Readonly<Record<number, string>>
}

const idOf = (member: string, command: string): string => `$(kitseal api ${command} | jq -er ${member})`
const newKit = (name: string, more = ''): string =>
  `kitseal submit my-evidence --label '${name}' --series 'Access review' ${more} --out '${name}' >/dev/null`

const PAGES: Readonly<Record<string, Page>> = {
  'how-to/check-a-kit.md': {
    before: { 1: 'curl -fsS $KITSEAL_URL/log/policy > issuer.policy; cp root.pem tsa-root.pem' },
    values: {
      // This service has no time-stamps, so its kits lack what the command requires.
      'kitseal verify kit.zip --policy issuer.policy --tsa-roots tsa-root.pem\n':
        'kitseal verify kit.zip --policy issuer.policy --tsa-roots tsa-root.pem || [ $? = 3 ]\n',
      'issuer.policy --tsa-roots tsa-root.pem\n': 'issuer.policy --tsa-roots tsa-root.pem --yes\n',
      'kitseal verify kit.zip --log-proof':
        'kitseal trust remove $KITSEAL_URL; kitseal verify kit.zip --issuer $KITSEAL_URL --log-proof',
    },
  },
  'how-to/find-and-compare.md': {
    before: { 3: `${newKit('Q2')}; ${newKit('Q3')}; cp Q2/*.zip q2-kit.zip; cp Q3/*.zip q3-kit.zip` },
  },
  'how-to/hold-and-delete-evidence.md': {
    before: { 1: 'kitseal api releaseHold submission_id=$SUBMISSION' },
  },
  'how-to/install.md': {
    elsewhere: { 0: 'a release', 1: 'a release', 2: 'a release', 3: 'a container engine' },
  },
  'how-to/receive-webhooks.md': {
    before: {
      2: `WEBHOOK_ID=${idOf('.data[0].webhook_id', 'listWebhooks')}`,
    },
    values: {
      'kitseal events --forward-to http://127.0.0.1:3000/hook':
        'timeout 3 kitseal events --forward-to http://127.0.0.1:9/hook || [ $? = 124 ]',
      'after=1402': 'after=1',
    },
  },
  'how-to/replace-a-signing-key.md': {
    before: {
      0: 'KID=$(kitseal admin signing-key list --json | jq -er .data[0].kid)',
    },
    values: { 'compromise KID': 'compromise $KID', 'revoke KID': 'revoke $KID' },
  },
  'how-to/request-evidence.md': {
    before: {
      1: `
        kitseal api createRequest title=Two items='[{"id": "CC6.1", "title": "Users"}, {"id": "CC6.2", "title": "Accounts"}]' > request.json
        REQUEST=$(jq -er .evidence_request_id request.json); echo name > users.csv`,
      2: '',
    },
    values: {
      'LINK=$KITSEAL_URL/r/…': 'LINK=$(jq -er .link.url request.json)',
      '                        # DRAFT is submission.submission_id':
        ' | tee draft.json; DRAFT=$(jq -er .submission.submission_id draft.json)',
      'curl -fO "$LINK/kit.zip"': 'until curl -fsO "$LINK/kit.zip"; do sleep 0.2; done',
    },
  },
  'how-to/run-a-quarterly-program.md': {
    before: {
      0: `echo '[{"item_id": "CC6.1", "title": "List of users", "description": "Everyone with access"}]' > items.json`,
      1: `
        PROGRAM=${idOf('.data[0].program_id', 'listPrograms')}
        DRAFT=${idOf('.submission_id', 'getPeriod program_id=$PROGRAM period=2026-Q4')}
        curl -fsS -H "X-API-Key: $KITSEAL_API_KEY" -F 'file=@my-evidence/access-review.csv;filename=CC6.1/users.csv' -F final=false $KITSEAL_URL/v1/submissions/$DRAFT/evidence`,
    },
  },
  'how-to/run-several-nodes.md': { elsewhere: { 0: 'Kubernetes' } },
  'how-to/back-up-and-upgrade.md': { elsewhere: { 1: 'Kubernetes' }, before: { 0: 'mkdir -p backups' } },
  'how-to/seal-the-run-of-a-scanner.md': {
    before: {
      0: `mkdir -p bin; printf '#!/bin/sh\\necho "Lynis 3.1"; echo hardening_index=70 > lynis-report.dat\\n' > bin/lynis; chmod +x bin/lynis; PATH=$PWD/bin:$PATH`,
    },
  },
  'how-to/say-where-evidence-came-from.md': {},
  'how-to/send-the-audit-log-to-a-siem.md': {
    before: {
      1: 'export KITSEAL_URL KITSEAL_API_KEY; PATH=$PWD/bin:$PATH; : > audit.jsonl; curl -fsS $KITSEAL_URL/log/policy > issuer.policy',
    },
    values: { '/var/log/kitseal/': './' },
    elsewhere: { 0: 'a file: the next block runs it' },
  },
  'how-to/share-a-kit.md': {
    before: {
      0: newKit('Of a series'),
      2: `SHARE=${idOf('.data[0].share_id', 'listShares')}`,
      3: `LINK=$(kitseal share $KIT --expires 14d --json | jq -er .url)`,
    },
    values: {
      'share_id=SHARE': 'share_id=$SHARE',
      'revoke SHARE ': 'revoke $SHARE ',
    },
  },
  'how-to/submit-from-ci.md': { elsewhere: { 1: 'a release' } },
  'how-to/upload-large-evidence.md': {
    values: { 'change WORKSPACE': 'change default' },
  },
  'how-to/use-it-from-an-assistant.md': {
    values: { 'kitseal login $KITSEAL_URL': 'kitseal login $KITSEAL_URL --yes <<< $KITSEAL_API_KEY' },
    elsewhere: { 1: 'Claude Code' },
  },
  'how-to/use-it-from-python.md': { elsewhere: { 0: 'a release' } },
  'reference/exports.md': { elsewhere: { 1: 'two packages for Python' } },
  'performance.md': { elsewhere: { 0: 'a checkout' } },
}

const blocksOf = (page: string): readonly string[] =>
  Array.from(
    readFileSync(path.join(root, 'docs', page), 'utf8').matchAll(/^( *)```(?:sh|bash)\n([\s\S]*?)^ *```$/gm),
    ([, indent = '', body = '']) => body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
const pages = globSync('**/*.md', { cwd: path.join(root, 'docs') })
  .filter((page) => !/^(tutorials|decisions|dist)\//.test(page) && blocksOf(page).length > 0)
  // Its kits no longer verify afterwards.
  .toSorted((a, b) => Number(/replace-a-signing/.test(a)) - Number(/replace-a-signing/.test(b)))

test('a page that is named here has blocks', () => {
  for (const [page, { elsewhere = {}, before = {} }] of Object.entries(PAGES))
    for (const block of [...Object.keys(elsewhere), ...Object.keys(before)])
      assert.ok(pages.includes(page) && Number(block) < blocksOf(page).length, `${page}, block ${block}`)
})

test('every command block of the docs runs as printed', needs('curl', 'jq', 'python3'), async (t) => {
  const home = mkdtempSync(path.join(tmpdir(), 'kitseal-docs-'))
  t.after(() => rmSync(home, { recursive: true }))
  const service = await startService(t, path.join(home, 'data'))
  const env = {
    ...userEnvironment(path.join(home, 'data')),
    KITSEAL_DATA: path.join(home, 'data'),
    KITSEAL_URL: service.url,
    KITSEAL_API_KEY: service.apiKey,
    BASE: service.url,
  }
  for (const page of pages)
    await t.test(page, () => {
      const folder = path.join(home, path.basename(page, '.md'))
      prepare(folder)
      const { before = {}, elsewhere = {}, values = {} } = PAGES[page] ?? {}
      const script = blocksOf(page).flatMap((block, index) =>
        index in elsewhere
          ? []
          : [
              before[index] ?? '',
              // A later block may save the script of an earlier one.
              `echo "--- block ${index}"`,
              Object.entries(values).reduce(
                (text, [shown, real]) => text.replaceAll(shown, () => real),
                ofReader(block),
              ),
            ],
      )
      const saved = blocksOf(page).find((block) => block.startsWith('#!'))
      if (saved !== undefined)
        writeFileSync(path.join(folder, 'bin/kitseal-audit-poll'), saved, { mode: 0o755 })
      const commands = script.join('\n')
      const usesKit = /\$(KIT|SUBMISSION)\b|\b(kit\.zip|kits|sealed\.json)\b/.test(commands)
      if (script.length > 0) run(SERVE + (usesKit ? A_KIT : '') + commands, folder, env)
    })
})

/** What the reader of every page has: some evidence, and a kit. */
function prepare(folder: string): void {
  for (const name of ['my-evidence', 'evidence', 'bin'])
    mkdirSync(path.join(folder, name), { recursive: true })
  writeFileSync(path.join(folder, 'my-evidence/access-review.csv'), 'account,decision\nann,keep\n')
  writeFileSync(path.join(folder, 'evidence/users.csv'), 'name,role\nann,admin\n')
  writeFileSync(path.join(folder, 'provenance.json'), '{ "system": "HR database" }')
  cpSync(path.join(root, 'spec/vectors/roots/root.pem'), path.join(folder, 'root.pem'))
}

/** A service that starts, and is stopped when it is ready. */
const SERVE = `
serve() {
  : > served.txt
  KITSEAL_PORT=0 KITSEAL_METRICS_LISTEN=off KITSEAL_DATA=./served kitseal serve >> served.txt &
  until grep -q 'http://' served.txt; do kill -0 $!; sleep 0.1; done
  kill $!; wait $!
}
`
const A_KIT = `
kitseal submit my-evidence --label Evidence --out kits --json > sealed.json
SUBMISSION=$(jq -er .submission.submission_id sealed.json)
KIT=$(jq -er .submission.kit_id sealed.json)
cp kits/*.zip kit.zip
`

/** The addresses and IDs of a page, as this reader has them. */
const ofReader = (block: string): string =>
  block
    .replaceAll(
      /https:\/\/(?:evidence\.example\.com|kitseal\.example|issuer\.example|YOUR-SERVICE)(?![\w.])/g,
      '$KITSEAL_URL',
    )
    .replaceAll(/https:\/\/kits\.example(?=\/)/g, '$KITSEAL_URL')
    .replaceAll(/\bkit_\w{27}|\bKIT_ID\b/g, '$KIT')
    .replaceAll(/\bsub_\w{27}/g, '$SUBMISSION')
    .replaceAll(/(?<=\s)\/backups\b/g, './backups')
    .replaceAll('kitseal serve', 'serve')

function run(script: string, cwd: string, env: Readonly<Record<string, string | undefined>>): void {
  try {
    execFileSync('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${script}`], { cwd, env, timeout: 120_000 })
  } catch (error) {
    const { stdout } = error as { readonly stdout?: Buffer }
    assert.fail(`the commands fail:\n${script}\nprinted:\n${String(stdout).slice(-3000)}`)
  }
}
