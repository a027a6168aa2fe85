import './outside/outside.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { mount } from './mount.tsx'
import { RequestPage } from './outside/request/request-page.tsx'

mount(<RequestPage />)
