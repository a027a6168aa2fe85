import { Button } from '@mantine/core'
import { Icon } from '../../parts/icons.tsx'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'

/** Guides a new workspace to its first kit. */
export function FirstRun({ canSubmit }: { readonly canSubmit: boolean }) {
  return (
    <section className="card first-run" aria-label={t('console.overview.first.title')}>
      <h2>{t('console.overview.first.title')}</h2>
      <p className="quiet">{t('console.overview.first.text')}</p>
      <ol>
        {([0, 1, 2] as const).map((step) => (
          <li key={step}>
            <p className="strong">{t(`console.overview.first.steps.${step}.title`)}</p>
            <p className="quiet">{t(`console.overview.first.steps.${step}.text`)}</p>
          </li>
        ))}
      </ol>
      {canSubmit ? (
        <div className="row">
          <Button leftSection={<Icon name="upload" />} onClick={() => navigate('/console/new')}>
            {t('console.overview.first.own')}
          </Button>
        </div>
      ) : (
        <p className="quiet">{t('console.overview.first.viewer')}</p>
      )}
    </section>
  )
}
