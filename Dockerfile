# The digest pins the image; the tag only describes it. For another image: --build-arg NODE_IMAGE=…
# Needs Docker 25 or newer (for --start-interval), and no Dockerfile front end of its own.
ARG NODE_IMAGE=node:20.20.2-alpine3.23@sha256:fb4cd12c85ee03686f6af5362a0b0d56d50c58a04632e6c0fb8363f609372293

# The build: a bundle without dependencies, so that the image below needs Node and nothing else.
FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The package builds itself when it is installed; its sources come in the next layer.
RUN npm ci --ignore-scripts
COPY tsconfig.json bin.mjs *.ts ./
COPY .ci .ci
COPY fixtures fixtures
COPY mock-server mock-server
COPY contract-tests contract-tests
RUN node .ci/build.mjs --if-stale --bundles

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /stack-parity
COPY --from=build /build/dist dist
COPY LICENSE ./
# For a volume with --state /state/: an empty volume takes over the owner of this folder.
RUN install -d -o node -g node /state
USER node
# The self-hosted API, the cloud API with the managed form, the console with the control plane.
EXPOSE 8000 8001 8080
HEALTHCHECK --interval=10s --timeout=2s --start-period=5s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.STACK_PARITY_SELF_HOSTED_PORT || 8000) + '/health').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli.js"]
CMD ["mock", "--host", "0.0.0.0"]
