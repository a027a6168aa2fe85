import { mount } from './mount.tsx'
import { RequestPage } from './request/request-page.tsx'

mount(<RequestPage />)
