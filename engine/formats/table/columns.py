"""What the columns of a table of tasks are called, in several languages. It never looks at their values."""

from __future__ import annotations

import re
from enum import Enum

# What a spreadsheet would take for a formula at the beginning of a cell; written behind an apostrophe.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would take a cell for a formula, once apostrophes and spaces in front are gone."""
    return text.startswith(_FORMULA) or text.lstrip(" '").startswith(_FORMULA)


class Field(Enum):
    """What a column says of a task; the value is the header we write."""

    ID = "Task ID"
    UID = "Unique ID"
    LEVEL = "Outline level"
    WBS = "WBS"
    NAME = "Name"
    DURATION = "Duration"
    START = "Start"
    FINISH = "Finish"
    PREDECESSORS = "Predecessors"
    SUCCESSORS = "Successors"
    RESOURCES = "Resource names"
    PERCENT = "% complete"
    MILESTONE = "Milestone"
    CONSTRAINT = "Constraint type"
    CONSTRAINT_DATE = "Constraint date"
    DEADLINE = "Deadline"
    ACTUAL_START = "Actual start"
    ACTUAL_FINISH = "Actual finish"
    REMAINING = "Remaining duration"
    MODE = "Task mode"
    ACTIVE = "Active"
    PRIORITY = "Priority"
    FAMILY = "Family"
    SKILL = "Skill"
    ALTERNATIVES = "Alternatives"
    RANGE = "Range"
    OPTIMISTIC = "Optimistic duration"
    LIKELY = "Most likely duration"
    PESSIMISTIC = "Pessimistic duration"
    CHANCE = "Chance"
    NOTES = "Notes"


DATES = (
    Field.START,
    Field.FINISH,
    Field.CONSTRAINT_DATE,
    Field.DEADLINE,
    Field.ACTUAL_START,
    Field.ACTUAL_FINISH,
)

# English, German, French, Spanish, Italian, Dutch, Portuguese; as Project, P6, GanttProject and people write them.
_NAMES: dict[Field, str] = {
    Field.ID: "id|nr|no|n°|#|number|nummer|task id|vorgangsnr|vorgangsnummer|activity id|activity code|lfd nr|"
    "id de tarea|id tâche|num",
    Field.UID: "unique id|uid|eindeutige id|einmalige nr|einmalige id|eindeutige nr|n° unique|id único|id univoco",
    Field.LEVEL: "outline level|level|gliederungsebene|ebene|wbs level|niveau hiérarchique|niveau|"
    "nivel de esquema|livello struttura|overzichtsniveau|nível da estrutura de tópicos",
    Field.WBS: "wbs|wbs code|outline number|gliederungsnummer|gliederung|psp|psp code|psp element|bsi|edt|"
    "numéro hiérarchique|n° hiérarchique|número de esquema|numero struttura|overzichtsnummer",
    Field.NAME: "name|task name|task|title|vorgangsname|vorgang|aufgabe|aufgabenname|bezeichnung|titel|"
    "activity name|activity|nom|nom de la tâche|tâche|nombre|nombre de tarea|tarea|nome|nome attività|attività|"
    "nome da tarefa|tarefa|taaknaam|taak|naam",
    Field.DURATION: "duration|dauer|durée|duración|durata|duração|duur|original duration|geplante dauer",
    Field.START: "start|start date|begin|begin date|anfang|anfangstermin|startdatum|beginn|start time|starttermin|"
    "planned start|scheduled start|geplanter anfang|début|date de début|comienzo|inicio|fecha de inicio|inizio|"
    "data inizio|início|data de início|begindatum",
    Field.FINISH: "finish|finish date|end|end date|end time|ende|endtermin|enddatum|planned finish|scheduled finish|"
    "geplantes ende|fin|date de fin|fecha de fin|fine|data fine|término|data de término|einde|einddatum",
    Field.PREDECESSORS: "predecessors|predecessor|vorgänger|depends on|dependencies|abhängigkeiten|prédécesseurs|"
    "predecesoras|predecesores|predecessori|predecessoras|predecessores|voorafgaande taken|voorgangers",
    Field.SUCCESSORS: "successors|successor|nachfolger|successeurs|sucesoras|sucesores|successori|sucessoras|"
    "opvolgende taken|opvolgers",
    Field.RESOURCES: "resource names|resources|resource|ressourcennamen|ressourcen|ressource|assigned to|assignee|"
    "zugewiesen an|noms ressources|ressources|nombres de los recursos|recursos|nomi risorse|risorse|"
    "nomes dos recursos|resourcenamen",
    Field.PERCENT: "% complete|percent complete|complete|completion|progress|% done|% abgeschlossen|abgeschlossen|"
    "prozent abgeschlossen|fortschritt|% achevé|% completado|% completamento|% completata|% concluída|"
    "percentage voltooid|% voltooid",
    Field.MILESTONE: "milestone|meilenstein|jalon|hito|cardine|attività cardine|mijlpaal|marco",
    Field.CONSTRAINT: "constraint type|constraint|einschränkungsart|einschränkung|type de contrainte|"
    "tipo de restricción|tipo vincolo|type beperking|tipo de restrição",
    Field.CONSTRAINT_DATE: "constraint date|einschränkungstermin|date de contrainte|date contrainte|"
    "fecha de restricción|data vincolo|beperkingsdatum|data da restrição",
    Field.DEADLINE: "deadline|stichtag|due date|due|fällig|fällig am|fälligkeit|échéance|fecha límite|scadenza|prazo",
    Field.ACTUAL_START: "actual start|ist anfang|istanfang|tatsächlicher anfang|début réel|comienzo real|"
    "inizio effettivo|werkelijke begindatum|início real",
    Field.ACTUAL_FINISH: "actual finish|actual end|ist ende|istende|tatsächliches ende|fin réelle|fin real|"
    "fine effettiva|werkelijke einddatum|término real",
    Field.REMAINING: "remaining duration|verbleibende dauer|durée restante|duración restante|durata rimanente",
    Field.MODE: "task mode|vorgangsmodus|mode tâche|modo de tarea|modalità attività|taakmodus",
    Field.ACTIVE: "active|aktiv|actif|activo|attivo|actief|ativo",
    Field.PRIORITY: "priority|priorität|priorité|prioridad|priorità|prioriteit|prioridade",
    Field.FAMILY: "family|setup family|set up family|product family|familie|rüstfamilie|produktfamilie|famille|familia|"
    "famiglia|família",
    Field.SKILL: "skill|skill needed|qualifikation|fähigkeit|compétence|competencia|competenza|vaardigheid|competência",
    Field.ALTERNATIVES: "alternatives|alternative resources|alternative machines|alternativen|alternativmaschinen|"
    "ausweichmaschinen|machines alternatives|alternativas|alternative|alternatieven",
    Field.RANGE: "range|range of duration|duration range|spanne|bandbreite|dauerspanne",
    Field.OPTIMISTIC: "optimistic duration|optimistic|optimistic estimate|minimum duration|min duration|best case|"
    "optimistische dauer|optimistisch|durée optimiste|duración optimista|durata ottimistica|duração otimista",
    Field.LIKELY: "most likely duration|most likely|likely duration|expected duration|most likely estimate|"
    "wahrscheinliche dauer|erwartete dauer|durée probable|duración probable|durata probabile|duração provável",
    Field.PESSIMISTIC: "pessimistic duration|pessimistic|pessimistic estimate|maximum duration|max duration|worst case|"
    "pessimistische dauer|pessimistisch|durée pessimiste|duración pesimista|durata pessimistica|duração pessimista",
    Field.CHANCE: "chance|chance that it happens|probability|probability of existence|wahrscheinlichkeit|"
    "eintrittswahrscheinlichkeit|probabilité|probabilidad|probabilità|kans|probabilidade",
    Field.NOTES: "notes|note|notizen|notiz|remarques|notas|notities|notitie|anotações",
}
_FIELDS = {name: field for field, names in _NAMES.items() for name in names.split("|")}
_LONGEST = 100  # of a header that is known
_UNIT = re.compile(r"^(.*?)\s*[(\[]\s*([^()\[\]]+?)\s*[)\]]$")


def find_field(header: str) -> Field | None:
    """The field that a header names, None where it names none."""
    if len(header) > _LONGEST:
        return None
    plain = _plain(header)
    found = _FIELDS.get(plain)
    if found is None:
        found = _FIELDS.get(_plain(_UNIT.sub(r"\1", header.strip())))
    return found


def unit_of(header: str) -> str:
    """The unit in brackets at the end of a header, as in “Duration (days)”; an empty text where there is none."""
    matched = _UNIT.match(header.strip()) if len(header) <= _LONGEST else None
    return matched[2] if matched else ""


def _plain(header: str) -> str:
    """Small letters, single spaces, no dots, lines or colons: “Outline_Level” and “% Complete:” are told alike."""
    text = re.sub(r"[\s_.:\-]+", " ", header.casefold()).strip()
    return re.sub(r"^(% ?)(?=\w)", "% ", text)
