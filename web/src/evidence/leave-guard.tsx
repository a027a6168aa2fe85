import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Dialog } from '../console/dialogs.tsx'
import { guardNavigation } from '../router.tsx'
import { texts } from '../texts/index.ts'

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
  const t = texts.console.new.leave
  if (leave === undefined) return null
  return (
    <Dialog title={t.title} onClose={() => setLeave(undefined)}>
      <p>{t.text(unsent)}</p>
      <div className="row dialog-actions">
        <Button variant="default" onClick={() => setLeave(undefined)}>
          {t.stay}
        </Button>
        <Button color="red.9" onClick={leave}>
          {t.leave}
        </Button>
      </div>
    </Dialog>
  )
}
