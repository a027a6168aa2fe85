import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type TestService, testService } from '../../test/kit/service.ts'
import { exchangesOf, isAsShown, replay } from '../../test/docs/transcript.ts'

const transcripts = fileURLToPath(new URL('./service-transcripts/', import.meta.url))
const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))

for (const name of readdirSync(transcripts)) {
  test(`service transcript ${name} matches`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kitseal-transcript-'))
    try {
      await using service = await testService()
      prepare(folder)
      const shown = exchangesOf(readFileSync(join(transcripts, name), 'utf8'))
      assert.ok(shown.length > 0)
      const env = environment(folder, service)
      const printed = await replay(shown, { folder, env })
      for (const [index, { command, output }] of shown.entries()) {
        const actual = printed[index]?.output ?? ''
        if (!isAsShown(output, actual)) assert.equal(actual, output, `$ ${command}`)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

/** Creates a folder of evidence and the command. */
function prepare(folder: string): void {
  mkdirSync(join(folder, 'evidence', 'notes'), { recursive: true })
  writeFileSync(join(folder, 'evidence', 'access-review.csv'), 'account,decision\na,remove\n\n')
  writeFileSync(join(folder, 'evidence', 'notes', 'größe 日本.txt'), 'all is well\n')
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'kitseal'), `#!/bin/sh\nexec ${process.execPath} ${kitseal} "$@"\n`, {
    mode: 0o755,
  })
}

function environment(
  folder: string,
  { base, dataFolder, config, service }: TestService,
): Record<string, string> {
  const path = [join(folder, 'bin'), dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  const cache = join(tmpdir(), 'kitseal-test-cache')
  const own = {
    KITSEAL_URL: base,
    KITSEAL_API_KEY: service.firstApiKey ?? '',
    KITSEAL_TRUST_STORE: join(folder, 'trust.json'),
    // For "kitseal admin … --data $DATA".
    DATA: dataFolder,
    ...(config.databaseUrl === undefined ? {} : { KITSEAL_DATABASE_URL: config.databaseUrl }),
  }
  return { PATH: path, HOME: folder, LC_ALL: 'C.UTF-8', XDG_CACHE_HOME: cache, ...own }
}
