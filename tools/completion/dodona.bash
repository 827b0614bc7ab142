# SPDX-License-Identifier: MIT
# Completion for bash, from what `dodona help --table` says of the commands and their options.

# _dodona_table PROGRAM: runs awk over the table; sees the variables of _dodona
_dodona_table()
{
    "${COMP_WORDS[0]}" help --table 2>/dev/null |
        awk -F '\t' -v command="$command" -v option="$option" "$1"
}

_dodona()
{
    local word=$2 option=$3 command=${COMP_WORDS[1]} known= kind before=
    # In --output=svg the sign is a word of its own.
    [ "$word" = = ] && word=
    [ "$option" = = ] && option=${COMP_WORDS[COMP_CWORD - 2]}
    COMPREPLY=()

    if [ "$COMP_CWORD" -eq 1 ] || [ "$command $COMP_CWORD" = "help 2" ]; then
        [ "$COMP_CWORD" -eq 1 ] && known="help --help --version"
        mapfile -t COMPREPLY < <(compgen -W "$(_dodona_table '$2 == "" { print $1 }') $known" -- "$word")
        return
    fi
    # The kind of the value that the option takes, and the values that are known.
    [[ $option == -?* ]] && known=$(_dodona_table '
        $1 == command && index($2, option) == 1 && ($2 == option || !found) { found = $4 " " $5 }
        END { gsub(/\|/, " ", found); print found }')
    kind=${known%% *} known=${known#* }
    case $kind in
    number | line) return ;;
    list)
        [[ $word == *,* ]] && before=${word%,*},
        mapfile -t COMPREPLY < <(compgen -P "$before" -W "$known" -- "${word##*,}")
        return
        ;;
    word)
        mapfile -t COMPREPLY < <(compgen -W "$known" -- "$word")
        return
        ;;
    file) ;;
    *)
        known=
        [[ $word == -* ]] && known=$(_dodona_table '$1 == command { print $2 }')
        ;;
    esac
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -W "$known" -- "$word"; compgen -f -- "$word")
}
complete -F _dodona dodona
