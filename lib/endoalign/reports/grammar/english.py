"""The function words of English, over normalised lower-case text."""

import re

from endoalign.reports.grammar.patterns import Grammar

_NUMBER = (
    r"an?|another|one|two|three|four|five|six|multiple|several|few|some|many|scattered|numerous"
)
_THERE_IS = r"there (?:was|were|is|are) "

ENGLISH = Grammar(
    denial_end=re.compile(
        r"[;:]|\.\s"
        rf"|,? ?\b(?:and|but|then|also) (?:also |then )?(?:(?:{_NUMBER}|the|there|it|he|she|was"
        r"|were|is|are|appeared|looked|showed|had)\b|\d|(?:in|at) the\b|biops)"
        rf"|, ?(?:(?:{_NUMBER}|the|there|which|it)\b|(?:in|at) the\b|\d)"
        r"|,? ?\b(?:as well as|along with|together with|in addition to)\b"
        r"|\b(?:was|were) (?:seen|noted|found|identified|observed|detected|present)\b"
    ),
    back_stop=re.compile(r";|\b(?:but|while|whereas)\b|, and\b"),
    manner=re.compile(r"\b(?:without|with no|none of|and not|not associated|not accompanied)\b"),
    list_gap=re.compile(
        r"(?:[\s,/;()-]|\b(?:and|or|nor|any|other|areas?|of|evidence|no|mild|moderate|severe|small"
        r"|diffuse|some|visible|active|obvious|gross|mucosal|the|as|well|large|significant"
        r"|associated|old|fresh|signs?|patchy|focal|with|superficial|shallow)\b)*"
    ),
    same_gap=re.compile(
        r"[ ,]*(?:versus|vs\.?|or|/|\(|-|possible|possibly|probable|questionable)? ?(?:an? )?"
        r"(?:possible |probable |questionable |likely |small |inflammatory |hyperplastic"
        r" |adenomatous )*"
    ),
    explains=re.compile(
        r"[\s,]*(?:[a-z]+ )?(?:which |and |that )?(?:was |were |is |are |be )?"
        r"(?:consistent with|compatible with|typical of|in keeping with|characteristic of"
        r"|suggestive of|suspicious for|due to|secondary to"
        r"|likely|representing|from|felt to be|thought to be)[\s,]*"
        r"(?:(?:an?|the|mild|moderate|severe|active|inflammatory|hyperplastic|adenomatous) ?)*"
        r"(?:[a-z]+ )?"
    ),
    renames=re.compile(
        r"[^;.]{0,60}\b(?:consistent with|compatible with|typical of|in keeping with"
        r"|characteristic of|suggestive of|suspicious (?:for|of)"
        r"|likely|possible|possibly|probable|probably|questionable|resembling|thought to be"
        r"|felt to be|representing|appeared to be)(?: (?:an?|the))?(?: [a-z]+){0,2} ?"
    ),
    along=re.compile(r" (?:[a-z]+ )?with (?:[a-z]+ ){0,2}"),
    separator=re.compile(
        r"(?P<strong>;|\. )"
        r"|,?\s?\b(?:and|plus|as well as|along with|together with|but|with|while|whereas|however"
        r"|then|where|followed by|in addition to|except for|other than|with the exception of)\b"
        r"|,|: |\n"
    ),
    starts_new=re.compile(
        rf"[\s,]*(?:also |then |{_THERE_IS}(?:also )?)?"
        rf"(?:(?:in|at|within|on) (?:the )?|(?:{_NUMBER}|additional|about|approximately|small|large"
        r"|tiny|diminutive|internal|external) |\d)"
    ),
    boundary=re.compile(r"[,;:(]|\s-+\s|\b(?:and|but|which|so|as|although|though|however|while)\b"),
    site_joint=re.compile(
        r"(?:[\s,/&()+~-]|\b(?:and|or|to|near|close|the|may|be|versus|vs|of|in|at|both|as"
        r"|well|also|including|junction|between|area|region|up|part|portion|colon|proximal|distal|mid"
        r"|middle|upper|lower|within|adjacent|just|level|rest|then|wall)\b)*"
    ),
    extent=re.compile(r"\bto (?:the )?(?:level of (?:the )?)?(?:proximal |distal )?$"),
    surroundings=re.compile(r"(?:surrounding|adjacent|background|neighbou?ring)[^,;]{0,24}$"),
    definite=re.compile(
        r"(?<![a-z])(?:the|this|these|that|those|both|each|its|said)"
        r"(?:[ -](?:larger|smaller|largest|smallest|same|latter|former|first|second|third|other"
        r"|above|small|large|remaining|residual|entire|noted|described|mentioned|sessile"
        r"|pedunculated|flat|polypoid|[\d.]+|mm|cm|two|three)){0,3}[ -]$"
    ),
    new_one=re.compile(rf"\b(?:{_NUMBER}|additional|second|third|fourth|further|other|also|new)\b"),
    points_back=re.compile(
        r"(?:and |but |the )?(?:it|its|this|these|they|this one|both|each|all"
        r"|(?:the |its )?(?:larger|largest|smaller|surface|base|margins?|borders?|head|stalk"
        r"|pedicle|size|edges?|shape|polyps?|lesions?|mass|tumou?r|paris|diameter))\b"
    ),
    points_to_all=re.compile(r"(?:both|all|each)\b"),
    here=re.compile(
        r"(?:and |also )?(?:here|at this (?:level|point|site|distance)"
        r"|in this (?:area|region|segment))\b"
    ),
    carries=re.compile(
        r"\b(?:also|another|second|third|additional|next to|nearby|adjacent to|beside|here|same"
        r"|this (?:area|region|segment))\b"
    ),
    elsewhere=re.compile(
        r"\b(?:other|others|further|else|elsewhere|additional|rest|remainder|remaining|otherwise)\b"
    ),
    looked_at=re.compile(
        r"\b(?:was|were|is|are)(?: then| also| next| carefully| well| again| now)? (?:examined"
        r"|inspected|visuali[sz]ed|reached|entered|intubated|seen|evaluated|viewed)\b"
    ),
    moved=re.compile(
        r"\b(?:scope|instrument|[a-z]*oscope)s?\b[^;]{0,80}?\b(?:inserted|passed|advanced|introduced"
        r"|placed|withdrawn|negotiated|manipulated|maneuvered|manoeuvred|driven|moved|threaded"
        r"|retroflexed|reached|guided|intubated|navigated|pushed|followed|coursed|removed)\b"
        r"|\b(?:inserted|passed|advanced|introduced|placed) the [a-z -]{0,30}(?:scope|oscope)\b"
        r"|\bscope (?:to|passed)\b"
    ),
    treated=re.compile(
        r"\b(?:removed|resected|snared|biopsied|retrieved|excised|cauteri[sz]ed|lifted|raised|injected"
        r"|captured|recovered|sent|suctioned|ablated|fulgurated|coagulated|clipped|banded|tattooed"
        r"|treated|transected|grasped|snare|forceps|remove|retrieve|resect|pathology|submitted)\b"
    ),
    seen=re.compile(
        r"\b(?:seen|noted|found|identified|observed|visuali[sz]ed|encountered|present|active|evidence|fresh)\b"
    ),
    tells=re.compile(
        r"\bthere (?:was|were|is|are)\b"
        r"|\b(?:showed|shows|revealed|reveals|demonstrated|found|saw)\b"
        r"|\b(?:was|were|is|are) (?:[a-z]+ly |also |then )?(?:seen|noted|found|identified|observed"
        r"|present|encountered|visible|visuali[sz]ed|removed|resected|snared|biopsied|normal)\b"
    ),
    finite=re.compile(
        r"\b(?:was|were|is|are|has|had|have|showed|revealed|demonstrated|looked|appeared|underwent"
        r"|taken|placed)\b"
    ),
    procedure=re.compile(
        r"oscop|ectomy|biops|removal|placement|dilat|ablation|ligation|banding|injection|\begd\b|\bogd\b"
        r"|resection|\bflex|extraction|control of|tattoo|\bemr\b|\besd\b|\bpeg\b|procedure|sedation"
    ),
)
