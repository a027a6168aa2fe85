import { mount } from './mount.tsx'
import './outside/outside.css'
import { RequestPage } from './outside/request/request-page.tsx'

mount(<RequestPage />)
