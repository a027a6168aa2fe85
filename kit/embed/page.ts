import { chooseLanguage, type Language } from '../src/languages.ts'
import { NO_TRUST } from '../src/trust.ts'
import { acceptDrops } from './drops.ts'
import { byId, element } from './elements.ts'
import { type GivenKeys, type KeyForm, keyForm } from './key-form.ts'
import { languageMenu, pageTitle, showLanguage } from './page-language.ts'
import { type GivenPolicy, policyForm } from './policy-form.ts'
import { chosenItems, droppedItems, type PickedItems } from './picked-items.ts'
import { classifyPicked, type PickedKit } from './picked-kit.ts'
import { showResult, spokenVerdict } from './result-view.ts'
import { presetKeySet } from './trusted-keys.ts'
import { canConfirmSender, kitVerdict, type Result } from './verdict.ts'
import {
  type RunningVerification,
  serveInWorker,
  supportsEd25519,
  VerificationStopped,
  verifyInWorker,
  type WorkerScope,
  workersFromScript,
} from './verify-in-worker.ts'
import { subjectBytes, type Verification } from './verify-picked.ts'
import { sentences, sizeText, t } from './words.ts'

// The same script runs in the page and in its worker.
if (typeof document === 'undefined') serveInWorker(globalThis as unknown as WorkerScope)
else startPage(document.currentScript?.textContent ?? '')

function startPage(script: string): void {
  const startWorker = workersFromScript(script)
  const own = presetKeySet(document)
  let kit: PickedKit | undefined
  let form: KeyForm | undefined
  let policies: HTMLElement | undefined
  let given: GivenKeys | undefined
  let givenPolicy: GivenPolicy | undefined
  let running: RunningVerification | undefined
  let shown: (() => void) | undefined

  for (const id of ['choose-zip', 'choose-folder']) {
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
    (reason) => showProblem(sentences([reason, t('view.picked.expected')])),
  )
  byId('stop').addEventListener('click', () => running?.stop())
  const names = {
    ISSUER: document.querySelector('#named b')?.textContent ?? '',
    OWN: own?.issuer ?? '',
  }
  if (own !== undefined) byId('own-keys').querySelector('b')?.replaceChildren(own.issuer)
  const speak = async (language: Language): Promise<void> => {
    await showLanguage(language, names)
    // The forms are made again in the new language.
    form = policies = undefined
    shown?.()
  }
  const language = chooseLanguage(navigator.languages)
  void speak('en').then(() => speak(language))
  languageMenu(language, (chosen) => void speak(chosen))
  byId('own-keys').hidden = own === undefined
  void supportsEd25519().then((supported) => (byId('old-browser').hidden = supported))

  /** Accepts a kit, the issuer's key set, or both. */
  async function accept(items: Promise<PickedItems>): Promise<void> {
    showProblem('')
    try {
      const { files, folders } = await items
      const picked = await classifyPicked(files, folders)
      if (picked.is === 'rejected') return showProblem(picked.reason)
      if (picked.kit !== undefined) {
        kit = picked.kit
        form = policies = given = givenPolicy = undefined
        await check(kit)
      }
      for (const file of picked.jsonFiles) await takeKeySet(file)
    } catch (error) {
      showProblem(t('view.page.unreadable', { why: String(error) }))
    }
  }

  async function takeKeySet(file: File): Promise<void> {
    if (form?.element.isConnected === true) await form.choose(file)
    else if (kit === undefined)
      showProblem(sentences([t('view.picked.notKit', { name: file.name }), t('view.picked.expected')]))
    else showProblem(t('view.page.unused', { name: file.name }))
  }

  /** Without keys from the reader, the keys of the site that serves this page count, where there is one. */
  async function check(chosen: PickedKit): Promise<void> {
    const trust = { ...(given ?? { keySets: own === undefined ? [] : [own] }), ...givenPolicy }
    const startedAt = performance.now()
    const verification = await run(chosen, { ...NO_TRUST, ...trust })
    if (verification === undefined || kit !== chosen) return
    const tookMs = performance.now() - startedAt
    const site = given === undefined ? own : undefined
    const about = { kind: chosen.is, name: chosen.name, sizeBytes: subjectBytes(chosen), site, tookMs }
    const result = { ...verification, ...about, verifiedAt: new Date() }
    shown = () => show(chosen, result)
    shown()
  }

  async function run(chosen: PickedKit, trust: typeof NO_TRUST): Promise<Verification | undefined> {
    running?.stop()
    clearResult()
    setBusy(true)
    const progress = progressBar(subjectBytes(chosen))
    const mine = verifyInWorker(startWorker, { subject: chosen, trust }, progress)
    running = mine
    try {
      return await mine.done
    } catch (error) {
      if (running !== mine) return undefined
      if (error instanceof VerificationStopped) showProblem(t('view.page.stopped'))
      else showProblem(t('view.page.unfinished', { why: String(error) }))
      return undefined
    } finally {
      if (running === mine) setBusy(false)
    }
  }

  function show(chosen: PickedKit, result: Result): void {
    const { report, receipt, kitKeySet } = result
    const verdict = kitVerdict(result)
    // The site that serves this page knows its own keys best.
    const canConfirm = canConfirmSender(report) || (report.verdict === 'signer_unknown' && form !== undefined)
    if (receipt !== undefined && canConfirmSender(report)) {
      const onKeys = (keys: GivenKeys): void => {
        given = keys
        void check(chosen)
      }
      form ??= keyForm({ issuer: receipt.issuer, kitKeySet, onKeys })
    }
    policies ??= policyForm((policy) => {
      givenPolicy = policy
      void check(chosen)
    })
    showKit(chosen)
    byId('announce').textContent = spokenVerdict(verdict)
    document.title = `${verdict.heading.replace(/[.。]$/, '')} – ${receipt?.kit_id ?? chosen.name}`
    byId('result').hidden = false
    showResult(byId('result'), result, verdict, {
      saved: { name: `${receipt?.kit_id ?? 'kit'}.verification.json`, json: report },
      keyForm: canConfirm ? form?.element : undefined,
      policyForm: report.verdict === 'unreadable' ? undefined : policies,
    })
    byId('result').scrollIntoView({ block: 'start' })
  }

  function clearResult(): void {
    byId('result').hidden = true
    byId('result').replaceChildren()
    byId('announce').textContent = ''
    document.title = pageTitle()
    shown = undefined
  }
}

function showKit(kit: PickedKit): void {
  delete byId('picked').dataset['text']
  byId('picked').replaceChildren(
    element('b', {}, kit.name),
    sentences([t('view.sentence', { text: '' }), t('view.page.another')]),
  )
}

function showProblem(problem: string): void {
  byId('problem').textContent = problem
}

function setBusy(isBusy: boolean): void {
  byId('busy').hidden = !isBusy
  if (!isBusy) return byId('choose-zip').focus({ preventScroll: true })
  byId('announce').textContent = t('view.page.checking')
  byId('stop').focus()
}

function progressBar(totalBytes: number): (bytesRead: number) => void {
  const bar = byId<HTMLProgressElement>('progress')
  const text = byId('progress-text')
  const update = (bytesRead: number): void => {
    const read = Math.min(bytesRead, totalBytes)
    bar.value = totalBytes === 0 ? 0 : read / totalBytes
    text.textContent = t('view.page.progress', { read: sizeText(read), total: sizeText(totalBytes) })
  }
  update(0)
  return update
}
