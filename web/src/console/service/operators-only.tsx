import type { ReactNode } from 'react'
import { Heading, Notice } from '../../parts/blocks.tsx'
import { t } from '../../core/texts.ts'
import { useMe } from '../session.tsx'

export const SERVICE = ['service'] as const

/** A page for operators. The others read why they do not see it. */
export function OperatorsOnly({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  if (useMe().is_operator) return children
  return (
    <>
      <Heading title={title} />
      <Notice tone="info">{t('console.service.notOperator')}</Notice>
    </>
  )
}
