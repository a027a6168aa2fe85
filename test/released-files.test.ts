import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.dirname(import.meta.dirname)

/**
 * Installs a package of this project by its name. No registry has one, so whoever publishes that name first would run code on the
 * machines of readers. In a checkout, `npx kitseal` runs the command that is there.
 */
const BY_NAME = new RegExp(
  [
    String.raw`\b(?:npm (?:i|install|add|exec|x)|pnpm (?:add|dlx|i|install)|yarn (?:global )?add|bunx|bun (?:add|x)|pip3? install|pipx? (?:install|run)|uvx?(?: pip| tool)?(?: install| run| add)?|brew install)[^\S\n](?:[^\n&|;]*[ "'])?(?:@kitseal/[\w-]+|kitseal(?:-[a-z]+)?)(?=["'@=~<>\s\`]|$)`,
    String.raw`\bnpx\s+(?:-\S+\s+)+kitseal\b`,
    String.raw`\bnpx\s+kitseal@`,
    String.raw`\buses:\s*kitseal/`,
  ].join('|'),
  'm',
)

test('no file of the project installs a package of it by name: everything comes from the files of a release', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  const own = path.relative(root, import.meta.filename)
  const texts = files.filter(
    (file) =>
      file !== own &&
      (/\.(?:md|ts|tsx|cjs|mjs|js|json|ya?ml|sh|py|toml|html)$/.test(file) || /(?:file|run)$/.test(file)),
  )
  assert.ok(texts.length > 1000)
  const found = texts.flatMap((file) => {
    const match = BY_NAME.exec(readFileSync(path.join(root, file), 'utf8'))
    return match === null ? [] : [`${file}: ${match[0]}`]
  })
  assert.deepEqual(found, [])
  for (const bad of [
    'npm install --global --ignore-scripts kitseal@1.0.0-rc.1',
    'npm i @kitseal/client',
    'command -v kitseal || npm install --global "kitseal@$VERSION"',
    'npx --yes kitseal@1.0.0-rc.1 submit',
    'pip install kitseal',
    'uses: kitseal/kitseal@v1.0.0-rc.1',
  ])
    assert.match(bad, BY_NAME)
  for (const good of [
    'npm install -g ./kitseal-1.0.0-rc.1.tgz',
    'npx kitseal check',
    'pip install ./kitseal-1.0.0rc1-py3-none-any.whl',
  ])
    assert.doesNotMatch(good, BY_NAME)
})
