# Countersign in a container: only one executable and the C library that it needs. No shell, no Node, no npm.
#
#   docker build -t countersign .
#
# Both images are pinned by version. For a release, also pin them by digest. Find the digests with
#
#   docker buildx imagetools inspect node:24.21.0-bookworm
#   docker buildx imagetools inspect gcr.io/distroless/cc-debian12:nonroot
#
# and pass them: --build-arg BUILD_IMAGE=node:24.21.0-bookworm@sha256:… --build-arg RUN_IMAGE=gcr.io/distroless/cc-debian12:nonroot@sha256:…
# or write them into the next two lines.
ARG BUILD_IMAGE=node:24.21.0-bookworm
ARG RUN_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /countersign
COPY . .
# Only the packages of the program and the dashboard, not those of tests and checks. CI: exactly the lockfile's versions.
RUN CI=true npx -y pnpm@12 install --frozen-lockfile --filter "@countersign/server..." --filter "@countersign/dashboard..." \
  && node packages/server/build/executable.ts \
  && install -d -m 0700 /data

FROM ${RUN_IMAGE}
LABEL org.opencontainers.image.title="Countersign" \
      org.opencontainers.image.description="An open-source verification service" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build --chown=0:0 --chmod=0755 /countersign/dist/countersign /usr/local/bin/countersign
# Only the embedded database writes here. With an external Postgres this stays empty.
COPY --from=build --chown=65532:65532 --chmod=0700 /data /data
VOLUME ["/data"]
WORKDIR /data
ENV COUNTERSIGN_DATA_DIR=/data/countersign \
    HOST=0.0.0.0
USER 65532:65532
EXPOSE 8080
# The image has no shell and no curl: the program checks itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/usr/local/bin/countersign", "healthy"]
ENTRYPOINT ["/usr/local/bin/countersign"]
CMD ["serve"]
