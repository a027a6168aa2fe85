import { Button } from '@mantine/core'
import { Icon } from '../../parts/icons.tsx'
import { navigate } from '../../router.tsx'
import { texts } from '../../texts/index.ts'

/** Guides a new workspace to its first kit. */
export function FirstRun({ canSubmit }: { readonly canSubmit: boolean }) {
  const t = texts.console.overview.first
  return (
    <section className="card first-run" aria-label={t.title}>
      <h2>{t.title}</h2>
      <p className="quiet">{t.text}</p>
      <ol>
        {t.steps.map(({ title, text }) => (
          <li key={title}>
            <p className="strong">{title}</p>
            <p className="quiet">{text}</p>
          </li>
        ))}
      </ol>
      {canSubmit ? (
        <div className="row">
          <Button leftSection={<Icon name="upload" />} onClick={() => navigate('/console/new')}>
            {t.own}
          </Button>
        </div>
      ) : (
        <p className="quiet">{t.viewer}</p>
      )}
    </section>
  )
}
