import './outside/outside.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { mount } from './mount.tsx'
import { SharePage } from './outside/share/share-page.tsx'

mount(<SharePage />)
