import { Notice } from '../parts/blocks.tsx'
import { texts } from '../texts/index.ts'
import { useMe } from './session.tsx'

/** Tells everyone why their submissions get no kits. */
export function FrozenBanner() {
  const { log_frozen } = useMe()
  const t = texts.console.frozen
  if (log_frozen === null) return null
  return (
    <Notice tone="warn" title={t.title}>
      {t.text(log_frozen.reason)}
    </Notice>
  )
}
