import { formatBytes } from '../src/format-bytes.ts'
import { byId, counted, element } from './elements.ts'
import { acceptDrops } from './page-drops.ts'
import { chosenItems, droppedItems, type PickedItems } from './picked-items.ts'
import { classifyPicked, EXPECTED, type PickedKit } from './picked-kit.ts'
import { showResult, spokenVerdict } from './result-view.ts'
import { supportsEd25519 } from './supports-ed25519.ts'
import { isUsable, presetKeySets, type ProvidedKeySet, readKeyIds, readKeySet } from './trusted-keys.ts'
import { kitVerdict } from './verdict.ts'
import {
  type RunningVerification,
  serveInWorker,
  VerificationStopped,
  verifyInWorker,
  type WorkerScope,
} from './verify-in-worker.ts'
import { subjectBytes, type Verification, type VerifyRequest } from './verify-picked.ts'
import { workerFromScript } from './worker-from-script.ts'

// The same script runs in the page and in its worker.
if (typeof document === 'undefined') serveInWorker(globalThis as unknown as WorkerScope)
else startPage(document.currentScript?.textContent ?? '')

function startPage(script: string): void {
  let kit: PickedKit | undefined
  let keySets: readonly ProvidedKeySet[] = presetKeySets(document)
  let running: RunningVerification | undefined

  const kidField = byId<HTMLInputElement>('kid')
  const integrityOnly = byId<HTMLInputElement>('integrity-only')

  for (const id of ['choose-zip', 'choose-folder', 'choose-keys']) {
    const input = byId<HTMLInputElement>(id)
    input.addEventListener('change', () => {
      const items = chosenItems(input.files ?? new DataTransfer().files)
      // Lets the user choose the same file again after it has changed on disk.
      input.value = ''
      void accept(Promise.resolve(items))
    })
  }
  acceptDrops(
    byId<HTMLInputElement>('choose-folder'),
    (transfer) => void accept(droppedItems(transfer)),
    (reason) => showProblem(`${reason} ${EXPECTED}`),
  )
  kidField.addEventListener('input', discardResult)
  integrityOnly.addEventListener('change', () => {
    byId<HTMLFieldSetElement>('trusted-key').disabled = integrityOnly.checked
    discardResult()
  })
  byId('form').addEventListener('submit', (event) => {
    event.preventDefault()
    void verify()
  })
  byId('stop').addEventListener('click', () => running?.stop())
  showKeySets()
  void supportsEd25519().then((supported) => (byId('old-browser').hidden = supported))

  /** Accepts a kit, key sets, or both. */
  async function accept(items: Promise<PickedItems>): Promise<void> {
    showProblem('')
    try {
      const { files, folders } = await items
      const picked = await classifyPicked(files, folders)
      if (picked.is === 'rejected') return showProblem(picked.reason)
      for (const file of picked.jsonFiles) {
        const read = await readKeySet(file)
        keySets = [...keySets.filter(({ name }) => name !== read.name), read]
      }
      kit = picked.kit ?? kit
      discardResult()
      showKit()
      showKeySets()
      byId('announce').textContent = [kit?.name, ...keySets.map(({ name }) => name)]
        .filter(Boolean)
        .join(', ')
      showUnusableKeySet()
    } catch (error) {
      showProblem(`Cannot read that (${String(error)}). Try “Choose a folder…”, or the kit.zip.`)
    }
  }

  async function verify(): Promise<void> {
    showProblem('')
    const kids = readKeyIds(kidField.value)
    kidField.setAttribute('aria-invalid', String(!kids.ok))
    if (!kids.ok) {
      kidField.focus()
      return showProblem(kids.problems.join(' '))
    }
    if (kit === undefined) {
      byId('choose-zip').focus()
      return showProblem(`No kit selected. ${EXPECTED}`)
    }
    const useKitKeys = integrityOnly.checked
    if (!useKitKeys && showUnusableKeySet()) return byId('choose-keys').focus()
    const usable = keySets.filter(isUsable)
    const sets = usable.map(({ set, bytes }) => ({
      ...set,
      source: bytes === undefined ? ('url' as const) : ('file' as const),
      bytes,
    }))
    const trust = { keySets: sets, kids: kids.value, pins: [], useKitKeys }
    return run(kit, { subject: kit, trust, keySetBytes: usable.flatMap(({ bytes }) => bytes ?? []) })
  }

  /** An unusable key set is never ignored, even if there is also a key ID. */
  function showUnusableKeySet(): boolean {
    const unusable = keySets.find((provided) => !isUsable(provided))
    if (unusable === undefined) return false
    showProblem(
      `${unusable.name} ${describeKeys(unusable)}. Remove it, or choose the jwks.json that the issuer publishes.`,
    )
    return true
  }

  async function run(chosen: PickedKit, request: VerifyRequest): Promise<void> {
    clearResult()
    setBusy(true)
    const startedAt = performance.now()
    let verification: Verification | undefined
    try {
      running = verifyInWorker(() => workerFromScript(script), request, progressBar(subjectBytes(chosen)))
      verification = await running.done
    } catch (error) {
      if (error instanceof VerificationStopped) showProblem('Stopped. Nothing was verified.')
      else showProblem(`Verification did not finish, so the kit is not verified: ${String(error)}`)
    } finally {
      running = undefined
      setBusy(false)
    }
    if (verification === undefined) byId('verify').focus()
    else show(chosen, verification, performance.now() - startedAt)
  }

  /** A result applies only to the current input: any change removes it. */
  function discardResult(): void {
    running?.stop()
    clearResult()
  }

  function showKit(): void {
    if (kit === undefined) return
    const count = kit.is === 'folder' ? `folder, ${counted(kit.files.length, 'file')}, ` : ''
    byId('picked').replaceChildren(
      element('strong', {}, kit.name),
      ` ${count}${formatBytes(subjectBytes(kit))}`,
    )
    byId('drop').classList.add('has-kit')
  }

  function showKeySets(): void {
    const list = byId('key-sets')
    list.hidden = keySets.length === 0
    list.replaceChildren(
      ...keySets.map((provided) => {
        const { name } = provided
        const remove = element('button', { type: 'button', 'aria-label': `Remove ${name}` }, 'Remove')
        remove.addEventListener('click', () => {
          keySets = keySets.filter((other) => other !== provided)
          discardResult()
          showProblem('')
          showKeySets()
          byId('choose-keys').focus()
        })
        const text = element('span', {}, element('strong', {}, name), ` ${describeKeys(provided)}`)
        return element('li', {}, text, remove)
      }),
    )
  }
}

function show(kit: PickedKit, verification: Verification, tookMs: number): void {
  const { report, receipt } = verification
  const result = {
    ...verification,
    kind: kit.is,
    name: kit.name,
    sizeBytes: subjectBytes(kit),
    verifiedAt: new Date(),
    tookMs,
    keysFrom: 'user',
  } as const
  const verdict = kitVerdict(result)
  byId('announce').textContent = spokenVerdict(verdict)
  document.title = `${report.status} – ${receipt?.kit_id ?? kit.name}`
  byId('result').hidden = false
  const saved = { name: `${receipt?.kit_id ?? 'kit'}.verification.json`, json: report }
  showResult(byId('result'), result, verdict, { saved })
  byId('result').scrollIntoView({ block: 'start' })
}

function describeKeys(provided: ProvidedKeySet): string {
  if (!isUsable(provided)) return provided.problem
  const { keys, refused } = provided.set
  const why = refused.map((key) => `; rejected: ${key.kid ?? 'a key without a kid'} ${key.why}`)
  return (keys.length === 0 ? 'contains no Ed25519 key' : counted(keys.length, 'key')) + why.join('')
}

function showProblem(problem: string): void {
  byId('problem').textContent = problem
}

function clearResult(): void {
  byId('result').hidden = true
  byId('result').replaceChildren()
  byId('announce').textContent = ''
  document.title = 'Kit verifier'
}

function setBusy(isBusy: boolean): void {
  byId('busy').hidden = !isBusy
  byId<HTMLButtonElement>('verify').disabled = isBusy
  if (!isBusy) return
  byId('announce').textContent = 'Verifying'
  // The Verify button is disabled now and cannot keep the focus.
  byId('stop').focus()
}

function progressBar(totalBytes: number): (bytesRead: number) => void {
  const bar = byId<HTMLProgressElement>('progress')
  const text = byId('progress-text')
  const update = (bytesRead: number): void => {
    const read = Math.min(bytesRead, totalBytes)
    bar.value = totalBytes === 0 ? 0 : read / totalBytes
    text.textContent = `${formatBytes(read)} of ${formatBytes(totalBytes)}`
  }
  update(0)
  return update
}
