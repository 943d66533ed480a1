"""What the postal data does not say about places: spelling, who is part of whom, ferries.

Written by hand from general knowledge. Used by generate-places.py.
"""

# Words that stay lower-case inside a hyphenated or multi-word Quebec name.
PARTICLES = set("de des du la le les sur en et aux au a l d".split())

# French words the source writes without accents, where every Quebec name with the word has them.
ACCENTED_WORDS = """
    Abbé Adèle Agnès Aimé André Angèle Arsène Barnabé Barthélemy Beaupré Benoît Borromée Bretenières Brébeuf Béarn
    Béatrix Bécancour Bégin Béthanie Carrières Carré Cascapédia Château Châteauguay Chénéville Clément Cléophas
    Cèdres Cécile Célestin Césaire Côme Côte Cœur Desméloizes Dorothée Doré Dégelis Déléage Elzéar Estérel Eugène
    Euphémie Eusèbe Ferréol François Françoise Frontière Frédéric Fugèreville Félicien Félicité Félix Gaspé
    Geneviève Gethsémani Grès Grégoire Guérin Gédéon Gérard Herménégilde Honoré Hébertville Hélène Hénédine
    Hérouxville Héva Irène Irénée Jonquière Jérôme Kénogami Laterrière Lavallée Laverlochère Linière Lotbinière
    Léandre Léon Léonard Léry Lévis Maskinongé Matapédia Montréal Moïse Mère Méchins Médard Mégantic Mékinac
    Mélanie Métabetchouan Métis Nicéphore Normétal Noël Nédélec Nérée Onésime Orléans Pacôme Patapédia Pentecôte
    Percé Perpétue Philémon Pocatière Pohénégamook Praxède Présentation Prévost Pérade Péribonka Pétronille Québec
    Raphaël René Rivière Rivières Rosemère Rédempteur Rédemption Rémi Rémigny Sacré Salomé Santé
    Siméon Supérieur Sylvère Sébastien Séraphine Séverin Sévère Tabatière Thècle Théodore Théophile Thérèse
    Trinité Très Trécesson Télesphore Témiscaming Témiscouata Tête Vallée Valère Valérien Vendée Verchères Zénon
    Zéphirin Éboulements Écorces Édouard Élie Élisabeth Éloi Émile Émélie Énergie Éphrem Épiphane Épiphanie Épée
    Entrée Étang Éternité Morandière Ladrière Étienne Évariste Île Îles
""".split()

# Source name → official or usual name.
RENAMED = {
    ("QC", "Quebec"): "Québec", ("QC", "Montreal"): "Montréal", ("QC", "Saint-Bruno"): "Saint-Bruno-de-Montarville",
    ("QC", "Asbestos"): "Val-des-Sources", ("QC", "Lasalle"): "LaSalle", ("QC", "Lemoyne"): "LeMoyne",
    ("QC", "Mcmasterville"): "McMasterville", ("QC", "Cote Saint-Luc"): "Côte-Saint-Luc",
    ("QC", "Ste-Catherine-De-La-J-Cartier"): "Sainte-Catherine-de-la-Jacques-Cartier",
    ("QC", "Saint-Lin-Laurentides"): "Saint-Lin–Laurentides", ("QC", "L'Ile-Bizard"): "L'Île-Bizard",
    ("QC", "Isle-Aux-Coudres"): "L'Isle-aux-Coudres", ("QC", "Val-D'Or"): "Val-d'Or",
    ("QC", "Baie-D'Urfe"): "Baie-D'Urfé", ("QC", "Contrecoeur"): "Contrecœur", ("QC", "Sacre-Coeur"): "Sacré-Cœur",
    ("ON", "Niagara On The Lake"): "Niagara-on-the-Lake", ("AB", "St Paul"): "St. Paul", ("ON", "Lasalle"): "LaSalle",
    ("ON", "St Catharines"): "St. Catharines", ("ON", "St Thomas"): "St. Thomas", ("ON", "St Marys"): "St. Marys",
    ("ON", "St Jacobs"): "St. Jacobs", ("ON", "Orleans"): "Orléans", 
    ("AB", "County Of Grande Prairie No. 1"): "County of Grande Prairie No. 1",
}

# Part or postal name → the municipality people write on an envelope.
PART_OF = {
    "QC": {
        "Montréal": """Anjou Lachine LaSalle Montréal-Nord Outremont Pierrefonds Pointe-aux-Trembles Roxboro
            L'Île-Bizard Saint-Laurent Saint-Léonard Sainte-Geneviève Verdun""",
        "Laval": "Laval-Ouest Sainte-Rose Vimont Fabreville Sainte-Dorothée",
        "Longueuil": "Saint-Hubert Greenfield_Park LeMoyne",
        "Québec": "Beauport Charlesbourg Sainte-Foy Loretteville Cap-Rouge Vanier Sillery",
        "Lévis": "Charny Saint-Romuald Saint-Nicolas Saint-Étienne-de-Lauzon Pintendre Saint-Rédempteur Breakeyville",
        "Saguenay": "Chicoutimi Jonquière La_Baie Laterrière Shipshaw Lac-Kénogami",
        "Gatineau": "Hull Aylmer Buckingham Masson-Angers",
        "Shawinigan": "Grand-Mère Shawinigan-Sud Saint-Gérard-des-Laurentides Saint-Georges-de-Champlain",
        "Beauharnois": "Melocheville",
    },
    "ON": {
        "Toronto": "North_York Scarborough Etobicoke East_York York",
        "Ottawa": "Nepean Kanata Gloucester Orléans Vanier Rockcliffe Manotick Stittsville Greely Cumberland Carp Richmond",
        "Hamilton": "Stoney_Creek Ancaster Dundas Waterdown Mount_Hope Binbrook Flamborough",
        "Vaughan": "Woodbridge Maple Thornhill Concord Kleinburg",
        "Whitby": "Brooklin", "Clarington": "Bowmanville Courtice Newcastle Orono",
        "Halton Hills": "Georgetown Acton", "Georgina": "Keswick", "Quinte West": "Trenton",
        "Kawartha Lakes": "Lindsay", "Scugog": "Port_Perry", "Centre Wellington": "Fergus Elora",
        "Bradford West Gwillimbury": "Bradford", "Clarence-Rockland": "Rockland", "Lincoln": "Beamsville Vineland",
        "Woolwich": "Elmira", "Pelham": "Fonthill", "Markham": "Unionville",
    },
    "BC": {
        "Abbotsford": "Matsqui Clearbrook",
        "Maple Ridge": "Whonnock", "Langley": "Aldergrove Milner Langley_(city) Langley_(township)",
        "North Vancouver": "North_Vancouver_(city) North_Vancouver_(district)",
        "Vancouver": "UBC University_Endowment_Lands",
        "Delta": "Tsawwassen_First_Nation Tsawwassen Ladner",
    },
    "AB": {"Wood Buffalo": "Fort_McMurray", "Strathcona County": "Sherwood_Park"},
    "NS": {"Halifax": "Dartmouth Bedford Lower_Sackville"},
}

# Further names people type: (name, province, the place it shares its centre with).
ALIASES = [
    ("Quebec City", "QC", "Québec"), ("Saguenay", "QC", "Chicoutimi"), ("Lac-Brome", "QC", "Knowlton"),
    ("Les Îles-de-la-Madeleine", "QC", "Cap-aux-Meules"), ("Clarington", "ON", "Bowmanville"),
    ("Halton Hills", "ON", "Georgetown"), ("Georgina", "ON", "Keswick"), ("Quinte West", "ON", "Trenton"),
    ("Kawartha Lakes", "ON", "Lindsay"), ("Scugog", "ON", "Port Perry"), ("Centre Wellington", "ON", "Fergus"),
    ("Bradford West Gwillimbury", "ON", "Bradford"), ("Clarence-Rockland", "ON", "Rockland"),
    ("Lincoln", "ON", "Beamsville"), ("Woolwich", "ON", "Elmira"), ("Greater Sudbury", "ON", "Sudbury"),
    ("Kitchener-Waterloo", "ON", "Waterloo"), ("Greater Napanee", "ON", "Napanee"), ("Brant", "ON", "Paris"),
    ("Wood Buffalo", "AB", "Fort McMurray"), ("Strathcona County", "AB", "Sherwood Park"),
    ("Saanich", "BC", "Saanichton"), ("North Cowichan", "BC", "Duncan"),
    ("UBC", "BC", "University Endowment Lands"),
    ("Electoral Area A (UBC / University Endowment Lands)", "BC", "University Endowment Lands"), ("Tsawwassen First Nation", "BC", "Tsawwassen"),
    ("Langley (city)", "BC", "Langley"),
    ("North Vancouver (city)", "BC", "North Vancouver"), ("North Vancouver (district)", "BC", "North Vancouver"),
]

# Municipalities without postal codes of their own, or with misplaced ones: (name, province, lat, lon, a FSA they lie in).
EXTRA = [
    ("L'Île-Dorval", "QC", 45.4336, -73.7418, "H9S"), ("L'Île-Cadieux", "QC", 45.4300, -74.0170, "J7V"),
    ("Langley (township)", "BC", 49.1044, -122.5827, "V2Y"),
    ("Contrecœur", "QC", 45.8580, -73.2390, "J0L"),
    ("Saint-Isidore", "QC", 45.3050, -73.6970, "J0L"), ("Saint-Mathieu", "QC", 45.3167, -73.5167, "J0L"), ("University Endowment Lands", "BC", 49.2610, -123.2310, "V6T"),
]

# Postal areas most of whose rows lie elsewhere in the source: their true centre, and how far
# from it a row may be.
CENTRES = {"T4M": (52.383, -113.785), "V3Z": (49.106, -122.825), "V8E": (50.118, -122.954)}
CENTRES_KM = 15

# Where a truck needs a ferry. Whole postal areas first, then single places of shared areas.
ISLAND_FSA = {
    "vancouver-island": """V0P V0R V0S V8L V8M V8N V8P V8R V8S V8T V8V V8W V8X V8Y V8Z V9A V9B V9C V9E V9G V9H V9J
        V9K V9L V9M V9N V9P V9R V9S V9T V9V V9W V9X V9Y V9Z""",
    "salt-spring": "V8K", "sunshine-coast": "V7Z V8A", "iles-de-la-madeleine": "G4T",
    "newfoundland": "A0A A0B A0C A0E A0G A0H A0J A0L A0M A0N A1A A1B A1C A1E A1G A1H A1K A1L A1M A1N A1S A1V A1W A1X A1Y A2A A2B A2H A2N",
}
ISLAND_PLACES = {
    ("BC", "bowen-island"): "Bowen_Island",
    ("BC", "gulf-islands"): "Mayne_Island Pender_Island Saturna Galiano Galiano_Island",
    ("BC", "gambier-island"): "Gambier_Island",
    ("BC", "sunshine-coast"): """Madeira_Park Roberts_Creek Sechelt Lund Van_Anda Garden_Bay Port_Mellon Gillies_Bay
        Egmont Gibsons Blubber_Bay Halfmoon_Bay""",
    ("BC", "vancouver-island"): """Woss Winter_Harbour Port_Hardy Port_McNeill Quatsino Alert_Bay Port_Alice Sointula
        Holberg Coal_Harbour Telegraph_Cove""",
    ("BC", "hornby-denman"): "Denman_Island Hornby_Island", ("BC", "gabriola"): "Gabriola",
    ("BC", "thetis"): "Thetis_Island", ("BC", "lasqueti"): "Lasqueti",
    ("BC", "quadra-cortes"): "Mansons_Landing Whaletown Heriot_Bay Quathiaski_Cove Squirrel_Cove Refuge_Cove Stuart_Island Surge_Narrows",
    ("BC", "haida-gwaii"): "Tlell Port_Clements Sandspit Queen_Charlotte Masset Juskatla",
    ("BC", "central-coast"): "Ocean_Falls Bella_Bella Denny_Island Klemtu",
    ("QC", "isle-aux-coudres"): "L'Isle-aux-Coudres", ("QC", "isle-aux-grues"): "L'Isle-aux-Grues",
    ("QC", "anticosti"): "Port-Menier", ("QC", "ile-dorval"): "L'Île-Dorval",
    ("ON", "pelee-island"): "Pelee_Island", ("ON", "wolfe-island"): "Wolfe_Island", ("ON", "amherst-island"): "Stella",
}
