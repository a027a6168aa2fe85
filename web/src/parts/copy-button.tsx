import { useEffect, useRef } from 'react'
import { t } from '../core/texts.ts'

export interface CopyButtonProps {
  readonly value: string
  /** What is copied, for the button's label. */
  readonly what: string
}

const COPY = 'M9 9h10v11H9zM15 9V4H5v11h4'
const CHECK = 'M5 12.5l4.5 4.5L19 7.5'

/** A button in plain DOM, because the result of a verification is not rendered by React. */
export function copyButton(value: string, what: string): HTMLElement {
  const place = document.createElement('span')
  const button = document.createElement('button')
  Object.assign(button, {
    type: 'button',
    className: 'icon-button copy no-print',
    title: t('copy.copyWhat', { what }),
  })
  button.setAttribute('aria-label', t('copy.copyWhat', { what }))
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  for (const [name, set] of Object.entries({
    viewBox: '0 0 24 24',
    width: '15',
    class: 'icon',
    'aria-hidden': 'true',
  }))
    svg.setAttribute(name, set)
  const path = svg.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'path'))
  const status = document.createElement('span')
  status.setAttribute('role', 'status')
  const show = (state: 'idle' | 'copied' | 'failed'): void => {
    path.setAttribute('d', state === 'copied' ? CHECK : COPY)
    status.className = state === 'failed' ? 'bad no-print' : 'visually-hidden'
    status.textContent = state === 'idle' ? '' : t(`copy.${state}`)
    if (state !== 'idle') setTimeout(show, state === 'copied' ? 2000 : 6000, 'idle')
  }
  show('idle')
  button.addEventListener('click', () => {
    const writing = navigator.clipboard?.writeText(value) ?? Promise.reject(new Error('no clipboard'))
    writing.then(
      () => show('copied'),
      () => show('failed'),
    )
  })
  button.append(svg)
  place.append(button, status)
  return place
}

export function CopyButton({ value, what }: CopyButtonProps) {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => place.current?.replaceChildren(copyButton(value, what)), [value, what])
  return <span ref={place} />
}

/** A hash, ID or key in full, with a button to copy it. */
export function Code({ value, what }: CopyButtonProps) {
  return (
    <span className="code">
      <code>{value}</code>
      <CopyButton value={value} what={what} />
    </span>
  )
}
