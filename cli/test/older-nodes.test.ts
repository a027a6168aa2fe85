import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneFileScript } from '../build-standalone.ts'

/** Newer than Node.js 20. SQLite is newer too: `monitor` says that it needs it. */
const NEWER =
  /\b(?:(?:Map|Object)\.groupBy|new (?:Async)?DisposableStack|Promise\.(?:withResolvers|try)|Array\.fromAsync|RegExp\.escape|Iterator\.from|Error\.isError|Uint8Array\.from(?:Base64|Hex)|import\.meta\.(?:dirname|filename|main))\b|\.(?:values|keys|entries)\(\)\.(?:map|filter|toArray|some|every|find|reduce)\(/

test('the released command line uses nothing that Node.js 20 lacks, and refuses older releases first', () => {
  const text = oneFileScript()
  // The page in each kit runs in a browser.
  const own = text.replace(/<!doctype html>[^]*<\/html>/i, '')
  assert.deepEqual(NEWER.exec(own)?.[0], undefined)
  assert.match(text, /^(?:"use strict";)?if\(parseInt\(process\.versions\.node\)<20\)/)
  for (const bad of ['Map.groupBy(a,b)', 'using x=new DisposableStack()', 'm.values().map(f)'])
    assert.match(bad, NEWER)
})
