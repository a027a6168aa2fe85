import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { browser as client, inviteLink } from '../../test/kit/console.ts'
import { enterBySso, provider } from '../../test/kit/sign-in-provider.ts'
import { testService } from '../../test/kit/service.ts'
import { workspaceClient } from '../../test/kit/workspace.ts'
import { barriers } from './barriers.ts'
import { builtPages } from './built-pages.ts'
import { misfits } from './on-page.ts'
import { originOf, visitor } from './visitor.ts'

const ANN = 'ann@acme.example'

test(
  'the invitation of a person with single sign-on offers nothing else, and the console asks which workspace, in Chromium',
  { skip: noBrowser },
  async () => {
    await builtPages()
    await using idp = await provider()
    await using service = await testService(idp.settings)
    idp.claims = { email: ANN }
    const other = await workspaceClient(service)
    await inviteLink(service, ANN)
    await enterBySso(client(service))
    const token = await inviteLink(service, ANN, { workspaceId: other.workspaceId, role: 'viewer' })
    await using browser = await launchBrowser()
    await using ann = await visitor(browser)
    const { page } = ann
    await page.goto(`${originOf(service)}/console/invite#${token}`)
    const sso = page.getByRole('link', { name: /^Continue with / })
    await sso.waitFor()
    assert.equal(await page.getByRole('button', { name: /passkey/ }).count(), 0)
    assert.deepEqual(await barriers(page), [])
    await sso.click()
    await page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
    await page.getByText(`You are ${ANN}.`).waitFor()
    assert.deepEqual([await barriers(page), await misfits(page)], [[], []])
    await page.getByRole('button', { name: /^Join / }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.goto(`${originOf(service)}/console/choose-workspace`)
    await page.getByText('This attempt has expired or was already completed. Start again.').waitFor()
  },
)
