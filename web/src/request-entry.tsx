import { mount } from './mount.tsx'
import { RequestPage } from './outside/request/request-page.tsx'

mount(<RequestPage />)
