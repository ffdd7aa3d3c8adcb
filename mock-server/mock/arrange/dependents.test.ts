import { expect, it } from 'vitest'
import { createMock } from '../../faces/create-mock.ts'
import { listDependents } from './dependents.ts'

it('listDependents has the records within a record and those that refer to it, without activities', () => {
  const mock = createMock({ logs: 0 })
  const target = mock.target()
  const { dashboardId } = target.selfHosted!.references
  const { world } = mock.deployment()
  const ofDashboard = listDependents(world, 'dashboards', dashboardId)
  const watching = mock.list('alert').filter(alert => alert.dashboardId === dashboardId)
  expect(watching.length).toBeGreaterThan(0)
  expect(ofDashboard).toEqual([
    { model: 'alert', how: 'names', names: watching.map(({ name }) => name), total: watching.length },
  ])

  const ofService = listDependents(world, 'service', target.cloud!.serviceId)
  expect(ofService).toContainEqual(expect.objectContaining({ model: 'backup', how: 'within' }))
  expect(ofService.every(({ names }) => names.length <= 5)).toBe(true)
  expect(ofService.some(({ model }) => model === 'activity')).toBe(false)
  expect(listDependents(world, 'webhook', 'nobody')).toEqual([])
})
