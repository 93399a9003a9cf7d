.DEFAULT_GOAL := help
.PHONY: help run page test check model soak replicaset cluster cluster-down bench-core size mutants dist

help: ## lists these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## builds the page and serves it for your cluster, or for a local one (PORT=8111, DEMO=1)
	@tools/run

page: ## builds the page into dist/
	@tools/page

test: ## everything: checks, unit tests, the page in a real browser on a real API server
	@tools/test

check: ## format, lints and unit tests alone
	@tools/check

soak: ## informers while parts are killed, natively and in a page (MINUTES=10, RATE=300, SEED=n)
	@tools/soak

model: ## plays six million random operations and faults on informers (STEPS=1000000, SEED=1)
	@tools/model

replicaset: ## plays a script with the example controller and with Kubernetes' own (TIMES=10, or BUDGET=1)
	@tools/replicaset

cluster: ## starts a local control plane with a demo load (PODS=10000, NODES=5, DEMO=0)
	@tools/cluster up

cluster-down: ## ends it
	@tools/cluster down

bench-core: ## the library beside client-go on the same work (ROUNDS=5, SECONDS_EACH=0.5, ONLY='queue_1 delayed_due')
	@tools/bench-core

size: ## weighs what a first visit loads; fails over the budget
	@tools/size

mutants: ## which changes of the informers' code no test notices (SHARD=0/16: one part of sixteen)
	@tools/mutants

dist: ## packs the page
	@tools/dist
