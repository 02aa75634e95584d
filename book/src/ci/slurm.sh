#!/usr/bin/env bash
# A Slurm array: sbatch --array=1-8 slurm.sh CLASS RESULTS, then idemlab merge RESULTS/*.json.
#SBATCH --cpus-per-task=2
#SBATCH --time=02:00:00
set -uo pipefail
class=$1 results=$2
mkdir -p "$results"
idemlab grade "$class" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --jobs "${SLURM_CPUS_PER_TASK:-1}" \
  --session "$results/$SLURM_ARRAY_TASK_ID.session" \
  --format json --out "$results/$SLURM_ARRAY_TASK_ID.json"
code=$?
# 1 and 5 are results as well: something red, something ungraded. A part that is run again after
# its machine was lost goes on from its session.
[ "$code" -eq 0 ] || [ "$code" -eq 1 ] || [ "$code" -eq 5 ]
