import { mount } from './mount.tsx'
import './outside/outside.css'
import { SharePage } from './outside/share/share-page.tsx'

mount(<SharePage />)
