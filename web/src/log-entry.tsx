import { LogPage } from './public/log-page.tsx'
import { mount } from './mount.tsx'

mount(<LogPage />)
