import { Button } from '@mantine/core'
import { Card, Heading } from '../parts/blocks.tsx'
import { Code } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { PublicFrame } from '../parts/frame.tsx'
import { useLocation } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import '../styles/home.css'
import { ServiceKeys } from './service-keys.tsx'

/** `/`, and the page for unknown URLs. */
export function HomePage() {
  return useLocation().pathname === '/' ? <Home /> : <NotFound />
}

function NotFound() {
  return (
    <PublicFrame title={t('notFound.title')}>
      <Heading title={t('notFound.title')} lead={t('notFound.text')} />
      <a href="/">{t('notFound.action')}</a>
    </PublicFrame>
  )
}

function Home() {
  return (
    <PublicFrame title={''}>
      <div className="hero">
        <h1>{t('home.heading')}</h1>
        <p className="lead">{t('home.lead')}</p>
        <div className="row">
          <Button component="a" href="/verify" size="md">
            {t('home.verifyAction')}
          </Button>
          <Button component="a" href="/console" size="md" variant="default">
            {t('home.consoleAction')}
          </Button>
        </div>
      </div>
      <ol className="steps">
        {([0, 1, 2] as const).map((step) => (
          <li key={step}>
            <span className="step-number" aria-hidden="true">
              {step + 1}
            </span>
            <h2>{t(`home.steps.${step}.title`)}</h2>
            <p>{t(`home.steps.${step}.text`)}</p>
          </li>
        ))}
      </ol>
      <div className="pair">
        <Claims
          title={t('home.proves')}
          lines={([0, 1, 2, 3, 4] as const).map((line) => t(`home.provesList.${line}`))}
          tone="pass"
        />
        <Claims
          title={t('home.provesNot')}
          lines={([0, 1, 2, 3] as const).map((line) => t(`home.provesNotList.${line}`))}
          tone="not"
        />
      </div>
      <ServiceKeys />
      <div className="pair">
        <Card title={t('home.offline.title')}>
          <p>{t('home.offline.text')}</p>
          <p className="command">
            <Code
              value={t('home.offline.command', { origin: location.origin })}
              what={t('home.offline.what')}
            />
          </p>
          <p className="quiet">{t('home.offline.more')}</p>
        </Card>
        <Card title={t('home.links.title')}>
          <ul className="links">
            <li>
              <a href="/docs">{t('home.links.docs')}</a>
            </li>
            <li>
              <a href="/openapi.json">{t('home.links.openapi')}</a>
            </li>
            <li>
              <a href="/.well-known/jwks.json">{t('home.keys.file')}</a>
            </li>
            <li>
              <a href="/log">{t('home.links.log')}</a>
            </li>
          </ul>
        </Card>
      </div>
    </PublicFrame>
  )
}

interface ClaimsProps {
  readonly title: string
  readonly lines: readonly string[]
  readonly tone: 'pass' | 'not'
}

function Claims({ title, lines, tone }: ClaimsProps) {
  return (
    <Card title={title}>
      <ul className={`claims ${tone}`}>
        {lines.map((line) => (
          <li key={line}>
            <Icon name={tone === 'pass' ? 'check' : 'dash'} />
            <span>{line}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
