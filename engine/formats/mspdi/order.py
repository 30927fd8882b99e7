"""The order in which Microsoft Project wants the elements of its files. It never makes the content of one."""

from __future__ import annotations

from collections.abc import Iterable

from engine.formats.xml_text import Element, to_text

Made = Iterable[tuple[str, str]]


class Order:
    """The order of the children of one kind of element."""

    def __init__(self, names: str) -> None:
        self._rank = {name: rank for rank, name in enumerate(names.split())}

    def arrange(self, made: Made, kept: Iterable[Element] = ()) -> str:
        """Texts by name, and the kept elements for whose name there is none, as one text.

        A kept element that is not known stays behind the one it stood behind. An empty text stands for no element.
        """
        pieces = [(self._rank[name], text) for name, text in made]
        ranks = {rank for rank, _ in pieces}
        place = 0
        for element in kept:
            rank = self._rank.get(element.tag)
            place = place if rank is None else rank
            if rank is None or rank not in ranks:
                pieces.append((place, to_text(element)))
        pieces.sort(key=lambda piece: piece[0])
        return "".join(text for _, text in pieces)


PROJECT = Order(
    "SaveVersion BuildNumber UID Name GUID Title Subject Category Company Manager Author CreationDate Revision "
    "LastSaved ScheduleFromStart StartDate FinishDate FYStartDate CriticalSlackLimit CurrencyDigits CurrencySymbol "
    "CurrencyCode CurrencySymbolPosition CalendarUID DefaultStartTime DefaultFinishTime MinutesPerDay "
    "MinutesPerWeek DaysPerMonth DefaultTaskType DefaultFixedCostAccrual DefaultStandardRate DefaultOvertimeRate "
    "DurationFormat WorkFormat EditableActualCosts HonorConstraints EarnedValueMethod InsertedProjectsLikeSummary "
    "MultipleCriticalPaths NewTasksEffortDriven NewTasksEstimated SplitsInProgressTasks SpreadActualCost "
    "SpreadPercentComplete TaskUpdatesResource FiscalYearStart WeekStartDay MoveCompletedEndsBack "
    "MoveRemainingStartsBack MoveRemainingStartsForward MoveCompletedEndsForward BaselineForEarnedValue "
    "AutoAddNewResourcesAndTasks StatusDate CurrentDate MicrosoftProjectServerURL Autolink NewTaskStartDate "
    "NewTasksAreManual DefaultTaskEVMethod ProjectExternallyEdited ExtendedCreationDate ActualsInSync "
    "RemoveFileProperties AdminProject BaselineCalendar UpdateManuallyScheduledTasksWhenEditingLinks "
    "KeepTaskOnNearestWorkingTimeWhenMadeAutoScheduled Views Filters Groups Tables Maps Reports Drawings DataLinks "
    "VBAProjects OutlineCodes WBSMasks ExtendedAttributes Calendars Tasks Resources Assignments"
)
CALENDAR = Order("UID GUID Name IsBaseCalendar IsBaselineCalendar BaseCalendarUID WeekDays Exceptions WorkWeeks")
TASK = Order(
    "UID GUID ID Name Active Manual Type IsNull CreateDate Contact WBS WBSLevel OutlineNumber OutlineLevel Priority "
    "Start Finish Duration StartText FinishText DurationText ManualStart ManualFinish ManualDuration DurationFormat "
    "FreeformDurationFormat Work Stop Resume ResumeValid EffortDriven Recurring OverAllocated Estimated Milestone "
    "Summary DisplayAsSummary Critical IsSubproject IsSubprojectReadOnly SubprojectName ExternalTask "
    "ExternalTaskProject EarlyStart EarlyFinish LateStart LateFinish StartVariance FinishVariance WorkVariance "
    "FreeSlack TotalSlack StartSlack FinishSlack FixedCost FixedCostAccrual PercentComplete PercentWorkComplete "
    "Cost OvertimeCost OvertimeWork ActualStart ActualFinish ActualDuration ActualCost ActualOvertimeCost "
    "ActualWork ActualOvertimeWork RegularWork RemainingDuration RemainingCost RemainingWork RemainingOvertimeCost "
    "RemainingOvertimeWork ACWP CV ConstraintType CalendarUID ConstraintDate Deadline LevelAssignments "
    "LevelingCanSplit LevelingDelay LevelingDelayFormat PreLeveledStart PreLeveledFinish Hyperlink HyperlinkAddress "
    "HyperlinkSubAddress IgnoreResourceCalendar Notes HideBar Rollup BCWS BCWP PhysicalPercentComplete "
    "EarnedValueMethod PredecessorLink ActualWorkProtected ActualOvertimeWorkProtected ExtendedAttribute Baseline "
    "OutlineCode IsPublished StatusManager CommitStart CommitFinish CommitmentType TimephasedData"
)
RESOURCE = Order(
    "UID GUID ID Name Type IsNull Initials Phonetics NTAccount MaterialLabel Code Group WorkGroup EmailAddress "
    "Hyperlink HyperlinkAddress HyperlinkSubAddress MaxUnits PeakUnits OverAllocated AvailableFrom AvailableTo "
    "Start Finish CanLevel AccrueAt Work RegularWork OvertimeWork ActualWork RemainingWork ActualOvertimeWork "
    "RemainingOvertimeWork PercentWorkComplete StandardRate StandardRateFormat Cost OvertimeRate OvertimeRateFormat "
    "OvertimeCost CostPerUse ActualCost ActualOvertimeCost RemainingCost RemainingOvertimeCost WorkVariance "
    "CostVariance SV CV ACWP CalendarUID Notes BCWS BCWP IsGeneric IsInactive IsEnterprise BookingType "
    "ActualWorkProtected ActualOvertimeWorkProtected ActiveDirectoryGUID CreationDate ExtendedAttribute Baseline "
    "OutlineCode IsCostResource AssnOwner AssnOwnerGuid IsBudget AvailabilityPeriods Rates TimephasedData"
)
ASSIGNMENT = Order(
    "UID GUID TaskUID ResourceUID PercentWorkComplete ActualCost ActualFinish ActualOvertimeCost ActualOvertimeWork "
    "ActualStart ActualWork ACWP Confirmed Cost CostRateTable RateScale CostVariance CV Delay Finish FinishVariance "
    "Hyperlink HyperlinkAddress HyperlinkSubAddress WorkVariance HasFixedRateUnits FixedMaterial LevelingDelay "
    "LevelingDelayFormat LinkedFields Milestone Notes Overallocated OvertimeCost OvertimeWork PeakUnits RegularWork "
    "RemainingCost RemainingOvertimeCost RemainingOvertimeWork RemainingWork ResponsePending Start Stop Resume "
    "StartVariance Summary SV Units UpdateNeeded VAC Work WorkContour BCWS BCWP BookingType ActualWorkProtected "
    "ActualOvertimeWorkProtected CreationDate AssnOwner AssnOwnerGuid BudgetCost BudgetWork ExtendedAttribute "
    "Baseline TimephasedData"
)
