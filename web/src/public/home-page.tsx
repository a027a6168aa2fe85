import { Button } from '@mantine/core'
import { Card, Heading } from '../parts/blocks.tsx'
import { Code } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { PublicFrame } from '../parts/public-frame.tsx'
import { useLocation } from '../router.tsx'
import { texts } from '../texts/index.ts'
import '../styles/home.css'
import { ServiceKeys } from './service-keys.tsx'

/** `/`, and the page for unknown URLs. */
export function HomePage() {
  return useLocation().pathname === '/' ? <Home /> : <NotFound />
}

function NotFound() {
  const { notFound: t } = texts
  return (
    <PublicFrame title={t.title}>
      <Heading title={t.title} lead={t.text} />
      <a href="/">{t.action}</a>
    </PublicFrame>
  )
}

function Home() {
  const { home: t } = texts
  return (
    <PublicFrame title={t.title}>
      <div className="hero">
        <h1>{t.heading}</h1>
        <p className="lead">{t.lead}</p>
        <div className="row">
          <Button component="a" href="/verify" size="md">
            {t.verifyAction}
          </Button>
          <Button component="a" href="/console" size="md" variant="default">
            {t.consoleAction}
          </Button>
        </div>
      </div>
      <ol className="steps">
        {t.steps.map(({ title, text }, index) => (
          <li key={title}>
            <span className="step-number" aria-hidden="true">
              {index + 1}
            </span>
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <div className="pair">
        <Claims title={t.proves} lines={t.provesList} tone="pass" />
        <Claims title={t.provesNot} lines={t.provesNotList} tone="not" />
      </div>
      <ServiceKeys />
      <div className="pair">
        <Card title={t.offline.title}>
          <p>{t.offline.text}</p>
          <p className="command">
            <Code value={t.offline.command(location.origin)} what={t.offline.what} />
          </p>
          <p className="quiet">{t.offline.more}</p>
        </Card>
        <Card title={t.links.title}>
          <ul className="links">
            <li>
              <a href="/docs">{t.links.docs}</a>
            </li>
            <li>
              <a href="/openapi.json">{t.links.openapi}</a>
            </li>
            <li>
              <a href="/.well-known/jwks.json">{t.keys.file}</a>
            </li>
            <li>
              <a href="/log">{t.links.log}</a>
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
