import { lifeOf } from '../../visits/life.ts'
import { visit } from '../../visits/visit.ts'
import { service } from '../service/service.ts'

/** Private connections of the run's own service to a resource that does not exist. */
export const { steps } = visit('cloud', 'reverse private endpoint', run => {
  lifeOf(run, 'reversePrivateEndpoint', {
    within: service,
    body: (_, name) => ({
      description: name,
      type: 'VPC_RESOURCE',
      vpcResourceConfigurationId: 'rcfg-0a1b2c3d4e5f60718',
      vpcResourceShareArn: 'arn:aws:ram:us-east-1:957102927053:resource-share/stack-parity',
    }),
    change: (_, name) => ({
      customPrivateDnsMappings: [{ privateDnsName: `${name.replace(/\W+/g, '-')}.invalid` }],
    }),
    whole: {
      values: { privateDnsName: 'stack-parity.invalid' },
      omit: {
        targetId: 'the deployment gives it',
        ...Object.fromEntries(
          ['vpcEndpointServiceName', 'mskClusterArn', 'mskAuthentication', 'gcpServiceAttachment'].map(name => [
            name,
            'it belongs to another type',
          ]),
        ),
      },
    },
  }).live()
})
