import { Notice } from '../parts/blocks.tsx'
import { t } from '../core/texts.ts'
import { useMe } from './session.tsx'

/** Tells everyone why their submissions get no kits. */
export function FrozenBanner() {
  const { log_frozen } = useMe()
  if (log_frozen === null) return null
  return (
    <Notice tone="warn" title={t('console.frozen.title')}>
      {t('console.frozen.text', { reason: log_frozen.reason })}
    </Notice>
  )
}
