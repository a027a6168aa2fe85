import { mount } from './mount.tsx'
import { SharePage } from './outside/share/share-page.tsx'

mount(<SharePage />)
