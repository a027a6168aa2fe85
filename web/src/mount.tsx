import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './parts/tokens.css'
import './parts/fonts.css'
import './parts/frame.css'
import './parts/parts.css'

/** Renders a page. */
export function mount(Page: ComponentType): void {
  const root = document.querySelector('#root')
  if (root === null) throw new Error('the page has no #root')
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  )
}
