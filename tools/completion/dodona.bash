# SPDX-License-Identifier: MIT
# Completion for bash: words of the commands and options of dodona(1), files everywhere else.
# _dodona_listed PART: the names that dodona train --list has there
_dodona_listed()
{
    dodona train --list 2>/dev/null |
        awk -v part="$1:" '/^[a-z]/ { inside = $0 == part } inside && /^ / { print $1 }'
}

_dodona()
{
    local word=$2 previous=$3 command=${COMP_WORDS[1]} values= options=

    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "parse train eval convert view stats oracle coverage decode projectivize forest inspect help --help --version" -- "$word"))
        return
    fi

    case "$command $previous" in
    "forest --oracle")
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    "decode --system")
        values="mst eisner arc-standard arc-eager arc-hybrid lr-spine attardi alldeg1 all alls0s1"
        previous=
        ;;
    "parse --keep") previous= ;; # takes no value there
    esac

    case $previous in
    --input) values="text conllu conllx tokens" ;;
    --steps) values="tokenize tag parse" ;;
    --output) values="conllu conllx tokens text json tree svg html tikz" ;;
    --search) values=$(_dodona_listed searches) ;;
    --learner) values=$(_dodona_listed learners) ;;
    --decoder) values="mst eisner arc-standard arc-eager arc-hybrid lr-spine attardi alldeg1 all alls0s1" ;;
    --update) values="early max-violation" ;;
    --roots) values="one many" ;;
    --on-error) values="stop skip" ;;
    --system) values=$(_dodona_listed systems) ;;
    --oracle) values="static nondet explore" ;;
    --keep) values="best last" ;;
    --nonprojective) values="skip projectivize pseudo direct" ;;
    --strategy) values="free lbr strict-lbr rbl" ;;
    --algorithm) values=$(_dodona_listed algorithms) ;;
    --pseudo) values="head path head+path" ;;
    --model | --train | --dev | --templates | --forest | --compare)
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    --explore-after | --explore-rate | --model-size | --iterations | --average | --jackknife | --seed | --trials | \
        --beam | --exact-limit | --note | --limit | --kbest | --memory | --temperature | -j) return ;;
    esac
    if [ -n "$values" ]; then
        COMPREPLY=($(compgen -W "$values" -- "$word"))
        return
    fi

    case $command in
    parse) options="--model --input --output --steps --search --decoder --beam --exact-limit --kbest --confidence --forest --roots --keep --keep-deps --on-error --trace --flush -j" ;;
    train)
        options="--train --dev --model --system --learner --oracle --algorithm --explore-after --explore-rate
            --search --decoder --beam --update --nonprojective --two-pass --pipeline --jackknife --templates --roots --model-size --iterations --average --seed --keep --note --list"
        ;;
    eval) options="--json --no-punct --analysis --trace --trials --seed" ;;
    convert) options="--input --output" ;;
    view) options="--input --output --compare" ;;
    stats) options="--json" ;;
    oracle) options="--system --strategy --algorithm --roots --limit" ;;
    coverage) options="--system --roots --json" ;;
    decode) options="--system --kbest --marginals --roots --memory" ;;
    projectivize) options="--count --json --roots --pseudo --undo" ;;
    forest) options="--count --oracle --kbest --marginals --temperature --json" ;;
    inspect) options="--templates --labels --json" ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options --help --quiet" -- "$word"))
    else
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -F _dodona dodona
