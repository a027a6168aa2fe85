import { type GivenKeySet, isUsable, presetKeySets, readKeyIds, readKeySet } from './anchors.ts'
import { byId, counted, element } from './elements.ts'
import { formatBytes } from '../src/format-bytes.ts'
import { takeDrops } from './page-drops.ts'
import { chosenItems, droppedItems, type PickedItems } from './picked-items.ts'
import { type PickedKit, sortOut, WANTED } from './picked-kit.ts'
import { resultView, spoken } from './result-view.ts'
import { canCheckSignatures } from './can-check-signatures.ts'
import {
  type DedicatedWorker,
  type Running,
  serveInWorker,
  Stopped,
  verifyInWorker,
} from './verify-in-worker.ts'
import { type Order, pickedBytes, type Verified } from './verify-picked.ts'

// The same script is the page and its worker.
if (typeof document === 'undefined') serveInWorker(globalThis as unknown as DedicatedWorker)
else startPage(document.currentScript?.textContent ?? '')

function startPage(script: string): void {
  let kit: PickedKit | undefined
  let keySets: readonly GivenKeySet[] = presetKeySets(document)
  let running: Running | undefined

  const kidField = byId<HTMLInputElement>('kid')
  const integrityOnly = byId<HTMLInputElement>('integrity-only')

  for (const id of ['choose-zip', 'choose-folder', 'choose-keys']) {
    const input = byId<HTMLInputElement>(id)
    input.addEventListener('change', () => {
      const items = chosenItems(input.files ?? new DataTransfer().files)
      // The same file can be chosen again after it has changed on disk.
      input.value = ''
      void take(Promise.resolve(items))
    })
  }
  takeDrops(
    byId<HTMLInputElement>('choose-folder'),
    (transfer) => void take(droppedItems(transfer)),
    (why) => say(`${why} ${WANTED}`),
  )
  kidField.addEventListener('input', changed)
  integrityOnly.addEventListener('change', () => {
    byId<HTMLFieldSetElement>('anchor').disabled = integrityOnly.checked
    changed()
  })
  byId('form').addEventListener('submit', (event) => {
    event.preventDefault()
    void verify()
  })
  byId('stop').addEventListener('click', () => running?.stop())
  byId('print').addEventListener('click', () => print())
  showKeySets()
  void canCheckSignatures().then((can) => (byId('old-browser').hidden = can))

  /** Takes what was dropped or chosen: a kit, key sets, or both. */
  async function take(items: Promise<PickedItems>): Promise<void> {
    say('')
    try {
      const { files, folders } = await items
      const picked = await sortOut(files, folders)
      if (picked.is === 'refused') return say(picked.why)
      for (const file of picked.keySetFiles) {
        const read = await readKeySet(file)
        keySets = [...keySets.filter(({ name }) => name !== read.name), read]
      }
      kit = picked.kit ?? kit
      changed()
      showKit()
      showKeySets()
      byId('announce').textContent = [kit?.name, ...keySets.map(({ name }) => name)]
        .filter(Boolean)
        .join(', ')
      sayUnusable()
    } catch (error) {
      say(`That cannot be read (${String(error)}). Try “Choose a folder…”, or the kit.zip.`)
    }
  }

  async function verify(): Promise<void> {
    say('')
    const kids = readKeyIds(kidField.value)
    kidField.setAttribute('aria-invalid', String(!kids.ok))
    if (!kids.ok) {
      kidField.focus()
      return say(kids.problems.join(' '))
    }
    if (kit === undefined) {
      byId('choose-zip').focus()
      return say(`There is no kit yet. ${WANTED}`)
    }
    const useKitKeys = integrityOnly.checked
    if (!useKitKeys && sayUnusable()) return byId('choose-keys').focus()
    const usable = keySets.filter(isUsable)
    const trust = { keySets: usable.map(({ set }) => set), kids: kids.value, pins: [], useKitKeys }
    await run(kit, { kit, trust, keySetBytes: usable.flatMap(({ bytes }) => bytes ?? []) })
  }

  /** A key set that was given is never passed over, not even where a key ID stands beside it. */
  function sayUnusable(): boolean {
    const wrong = keySets.find((given) => !isUsable(given))
    if (wrong === undefined) return false
    say(`${wrong.name} ${keysIn(wrong)}. Remove it, or give the jwks.json that the issuer publishes.`)
    return true
  }

  async function run(chosen: PickedKit, order: Order): Promise<void> {
    clearResult()
    busy(true)
    try {
      running = verifyInWorker(script, order, progressOf(pickedBytes(chosen)))
      show(chosen, await running.verified)
    } catch (error) {
      if (error instanceof Stopped) say('Stopped. Nothing was verified.')
      else say(`The check could not be run to its end, so the kit is not verified: ${String(error)}`)
    } finally {
      running = undefined
      busy(false)
    }
    if (byId('result').hidden) return byId('verify').focus()
    byId('result').scrollIntoView({ block: 'start' })
    byId('verdict').focus({ preventScroll: true })
  }

  /** A result stands only for what is on the page: whatever changes takes it away. */
  function changed(): void {
    running?.stop()
    clearResult()
  }

  function showKit(): void {
    if (kit === undefined) return
    const count = kit.is === 'folder' ? `folder, ${counted(kit.files.length, 'file')}, ` : ''
    byId('picked').replaceChildren(
      element('strong', {}, kit.name),
      ` ${count}${formatBytes(pickedBytes(kit))}`,
    )
    byId('drop').classList.add('has-kit')
  }

  function showKeySets(): void {
    const list = byId('key-sets')
    list.hidden = keySets.length === 0
    list.replaceChildren(
      ...keySets.map((given) => {
        const remove = element('button', { type: 'button', 'aria-label': `Remove ${given.name}` }, 'Remove')
        remove.addEventListener('click', () => {
          keySets = keySets.filter((other) => other !== given)
          changed()
          say('')
          showKeySets()
          byId('choose-keys').focus()
        })
        return element(
          'li',
          {},
          element('span', {}, element('strong', {}, given.name), ` ${keysIn(given)}`),
          remove,
        )
      }),
    )
  }
}

function show(chosen: PickedKit, verified: Verified): void {
  const { report } = verified
  const shown = { ...verified, kitName: chosen.name, kind: chosen.is, verifiedAt: new Date() }
  byId('result-body').replaceChildren(resultView(shown))
  byId('result').hidden = false
  byId('announce').textContent = spoken(report)
  document.title = `${report.status} – ${verified.receipt?.kit_id ?? chosen.name}`
  const json = new Blob([`${JSON.stringify(report, null, 2)}\n`], { type: 'application/json' })
  const save = byId<HTMLAnchorElement>('save')
  save.href = URL.createObjectURL(json)
  save.download = `${verified.receipt?.kit_id ?? 'kit'}.verification.json`
}

function keysIn(given: GivenKeySet): string {
  if (!isUsable(given)) return given.unusable
  const { keys, refused } = given.set
  const why = refused.map((key) => `; refused: ${key.kid ?? 'a key without a kid'} ${key.why}`)
  return (keys.length === 0 ? 'holds no Ed25519 key' : counted(keys.length, 'key')) + why.join('')
}

function say(problem: string): void {
  byId('problem').textContent = problem
}

function clearResult(): void {
  byId('result').hidden = true
  byId('result-body').replaceChildren()
  byId('announce').textContent = ''
  URL.revokeObjectURL(byId<HTMLAnchorElement>('save').href)
  document.title = 'Kit verifier'
}

function busy(is: boolean): void {
  byId('busy').hidden = !is
  byId<HTMLButtonElement>('verify').disabled = is
  if (!is) return
  byId('announce').textContent = 'Verifying'
  // The button that was pressed takes no focus now, and the progress may be out of view.
  byId('stop').focus()
}

function progressOf(totalBytes: number): (bytesRead: number) => void {
  const bar = byId<HTMLProgressElement>('progress')
  const text = byId('progress-text')
  const at = (bytesRead: number): void => {
    const read = Math.min(bytesRead, totalBytes)
    bar.value = totalBytes === 0 ? 0 : read / totalBytes
    text.textContent = `${formatBytes(read)} of ${formatBytes(totalBytes)}`
  }
  at(0)
  return at
}
