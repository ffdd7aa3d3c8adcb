import { expect, it } from 'vitest'
import { openCloud } from '../../../testing/open-cloud.ts'

it('lists the profiles of a region, or those of BYOC infrastructure', async () => {
  const { send, mock } = openCloud()
  const names = async (query: string) =>
    (await send('GET', `/serviceProfiles${query}`)).result?.map(({ profile }: { profile: string }) => profile)
  expect(await names('?region_id=eu-central-1')).toContain('v1-highmem-xs')
  expect((await send('GET', '/serviceProfiles')).error).toContain('region_id')
  const { id } = mock.create('byocInfrastructure', { regionId: 'us-east-1' }) as { id: string }
  expect(await names(`?byoc_id=${id}`)).toContain('v1-standard-byoc-12')
  expect((await send('GET', `/serviceProfiles?byoc_id=${id}&region_id=eu-central-1`)).status).toBe(400)
})
