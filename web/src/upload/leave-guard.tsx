import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Dialog } from '../parts/ask.tsx'
import { guardNavigation } from '../core/router.tsx'
import { t } from '../core/texts.ts'

/** Asks before the page is left while chosen files are not uploaded: by a link, by going back, or by closing it. */
export function LeaveGuard({ unsent }: { readonly unsent: number }) {
  const [leave, setLeave] = useState<() => void>()
  const isGuarding = unsent > 0
  useEffect(() => {
    if (!isGuarding) return undefined
    const confirmLeave = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', confirmLeave)
    const stop = guardNavigation((go) => setLeave(() => go))
    return () => {
      removeEventListener('beforeunload', confirmLeave)
      stop()
    }
  }, [isGuarding])
  if (leave === undefined) return null
  return (
    <Dialog title={t('console.new.leave.title')} onClose={() => setLeave(undefined)}>
      <p>{t('console.new.leave.text', { count: unsent })}</p>
      <div className="row dialog-actions">
        <Button variant="default" onClick={() => setLeave(undefined)}>
          {t('console.new.leave.stay')}
        </Button>
        <Button color="red.9" onClick={leave}>
          {t('console.new.leave.leave')}
        </Button>
      </div>
    </Dialog>
  )
}
